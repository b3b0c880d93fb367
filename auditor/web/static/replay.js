// Walks the replay without loading pages: the page of another event is fetched and its parts are put in place of those
// shown, so that the board stays where it is. Without this script each link of the replay loads its page.
'use strict';
(function () {
  const root = document.querySelector('[data-replay]');
  const events = location.pathname.replace(/\d+$/, '');
  if (!root || events === location.pathname) { return; }
  const MOST_KEPT = 12;
  const all = (s, n) => Array.from(n.querySelectorAll(s));
  const kept = new Map();  // address: the promise of its page, taken apart
  let shown = location.pathname;
  let wanted = '';

  function isEvent(url) {
    return url.origin === location.origin && url.pathname.startsWith(events) && /^\d+$/.test(url.pathname.slice(events.length));
  }

  function pageOf(address) {
    let page = kept.get(address);
    if (!page) {
      if (kept.size >= MOST_KEPT) { kept.delete(kept.keys().next().value); }
      page = load(address);
      kept.set(address, page);
      page.catch(function () { kept.delete(address); });
    }
    return page;
  }

  async function load(address) {
    let answer = await fetch(address, { headers: { 'Accept': 'text/html' }, credentials: 'same-origin' });
    while (answer.status === 202) { // it is being drawn
      await new Promise(function (resolve) { setTimeout(resolve, 500); });
      answer = await fetch(address, { headers: { 'Accept': 'text/html' }, credentials: 'same-origin' });
    }
    const text = await answer.text();
    const began = performance.now();
    const page = new DOMParser().parseFromString(text, 'text/html');
    performance.measure('replay: parsed', { start: began, end: performance.now() });
    if (!answer.ok || !page.querySelector('[data-replay]')) { throw new Error('no event at ' + address); }
    return { page: page, address: answer.url };
  }

  async function step(address, how) {
    if (wanted === address) { return; }
    wanted = address;
    let found;
    try {
      found = await pageOf(address);
    } catch (error) {
      // The page that the link leads to says what is wrong.
      if (wanted === address) { location.assign(address); }
      return;
    }
    if (wanted !== address) { return; }
    wanted = '';
    const began = performance.now();
    if (how !== 'back') { history.pushState(null, '', found.address); }
    shown = new URL(found.address).pathname;
    show(found.page, how);
    performance.measure('replay: shown', { start: began, end: performance.now() });
    ahead();
  }

  function show(page, how) {
    const held = focused();
    const before = board().getBoundingClientRect();
    const onScreen = before.bottom > 0 && before.top < innerHeight;
    all('[data-part]', root).forEach(function (old) {
      const fresh = page.querySelector('[data-part="' + old.dataset.part + '"]');
      if (fresh) { put(old, fresh); }
    });
    document.title = page.title;
    all('head link[rel=prev], head link[rel=next]', document).forEach(function (link) { link.remove(); });
    all('head link[rel=prev], head link[rel=next]', page).forEach(function (link) { document.head.append(document.importNode(link)); });
    if (how === 'list' && !onScreen) {
      root.scrollIntoView({ behavior: 'instant', block: 'start' });
    } else {
      scrollBy({ top: board().getBoundingClientRect().top - before.top, behavior: 'instant' });
    }
    bringIntoView();
    if (held) { refocus(held); }
    const said = all('.here', root).map(function (p) { return p.textContent.replace(/\s+/g, ' ').trim(); });
    root.querySelector('[role=status]').textContent = [page.title].concat(said).join('. ');
  }

  // The picture that is on the screen: on a narrow one the close-up comes first.
  function board() {
    return all('[data-part=near] svg.board, [data-part=board] svg.board', root).find(function (b) { return b.getBoundingClientRect().height > 0; }) || root;
  }

  // Makes an element like a fresh one and touches only what differs, so that what the reader scrolled or opened stays so.
  function put(old, fresh) {
    if (old.isEqualNode(fresh)) { return; }
    if (!alike(old, fresh)) { old.replaceWith(document.importNode(fresh, true)); return; }
    if (old.nodeType !== Node.ELEMENT_NODE) { old.data = fresh.data; return; }
    Array.from(old.attributes).forEach(function (a) {
      if (!fresh.hasAttribute(a.name) && !(a.name === 'open' && old.tagName === 'DETAILS')) { old.removeAttribute(a.name); }
    });
    Array.from(fresh.attributes).forEach(function (a) {
      if (old.getAttribute(a.name) !== a.value) { old.setAttribute(a.name, a.value); }
    });
    Array.from(fresh.childNodes).forEach(function (child, n) { put(old.childNodes[n], child); });
  }

  function alike(old, fresh) {
    return old.nodeName === fresh.nodeName && old.id === fresh.id && old.childNodes.length === fresh.childNodes.length &&
      (!old.dataset || old.dataset.key === fresh.dataset.key);
  }

  // The event shown is brought into the strip and the list, each within itself, if it is not there.
  function bringIntoView() {
    const now = root.querySelector('.strip.scroll .tl-now');
    if (now) {
      const strip = now.closest('.scroll').getBoundingClientRect(), at = now.getBoundingClientRect();
      if (at.left < strip.left || at.right > strip.right) { now.closest('.scroll').scrollLeft += at.left - strip.left - strip.width / 2; }
    }
    const line = root.querySelector('.log [aria-current]');
    if (line) {
      const list = line.parentElement.getBoundingClientRect(), at = line.getBoundingClientRect();
      if (at.top < list.top || at.bottom > list.bottom) { line.parentElement.scrollTop += at.top - list.top - list.height / 3; }
    }
  }

  function focused() {
    const element = document.activeElement;
    if (!element || !element.closest('[data-part]')) { return null; }
    return {
      part: element.closest('[data-part]').dataset.part, element: element,
      key: element.dataset.key, id: element.id, href: element.getAttribute('href'), tag: element.tagName,
    };
  }

  // The same thing on the new page; where it is gone, the heading, which is where reading starts.
  function refocus(held) {
    if (held.element.isConnected) { return; }
    const part = root.querySelector('[data-part="' + held.part + '"]');
    const same = held.key && part.querySelector('[data-key="' + CSS.escape(held.key) + '"]') ||
      held.id && part.querySelector('#' + CSS.escape(held.id)) ||
      held.href && part.querySelector('[href="' + CSS.escape(held.href) + '"]') ||
      held.tag === 'SUMMARY' && part.querySelector('summary') || root.querySelector('h1');
    same.focus({ preventScroll: true });
  }

  // The pages to either side, and that of the next finding, when the browser has nothing else to do.
  function ahead() {
    if (navigator.connection && navigator.connection.saveData) { return; }
    (window.requestIdleCallback || setTimeout)(function () {
      ['ArrowRight', 'ArrowLeft', ']'].forEach(function (key) {
        const link = root.querySelector('[data-key="' + CSS.escape(key) + '"]');
        if (link) { pageOf(link.href).catch(function () {}); }
      });
    });
  }

  document.addEventListener('click', function (e) {
    const link = e.target.closest && e.target.closest('a[href]');
    if (!link || e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey || link.target) { return; }
    const url = new URL(link.getAttribute('href'), location.href);  // also of a link inside a picture
    if (!isEvent(url)) { return; }
    e.preventDefault();
    if (url.pathname !== shown) { step(url.href, link.closest('.log, .strip') ? 'list' : 'step'); }
  });
  document.addEventListener('submit', function (e) {
    const form = e.target.closest('.goto');
    if (!form || !form.seq.value) { return; }
    e.preventDefault();
    step(form.action + '?' + new URLSearchParams(new FormData(form)), 'step');
  });
  addEventListener('popstate', function () {
    if (isEvent(location) && location.pathname !== shown) { step(location.href, 'back'); }
  });
  // The browser puts the page back where it was only when it comes back to it from elsewhere.
  addEventListener('pagehide', function () { history.scrollRestoration = 'auto'; });
  addEventListener('pageshow', function () { history.scrollRestoration = 'manual'; });
  ahead();
}());
