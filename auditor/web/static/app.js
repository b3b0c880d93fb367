// Everything here is a convenience: each page is complete and usable without it.
'use strict';
(function () {
  const all = (s, n) => Array.from((n || document).querySelectorAll(s));

  // Chips on the report: show one kind of finding or one player's. They only appear where they can work.
  all('.chips.js').forEach(function (group) { group.hidden = false; });
  all('[data-filter]').forEach(function (chip) {
    chip.addEventListener('click', function () {
      all('[data-filter]').forEach(function (c) { c.setAttribute('aria-pressed', String(c === chip)); });
      all('.finds > [data-tags]').forEach(function (row) {
        row.hidden = chip.dataset.filter !== 'all' && !row.dataset.tags.split(' ').includes(chip.dataset.filter);
      });
      const list = chip.closest('section');
      const rows = all('.finds > .find[data-tags]', list).filter(function (row) { return !row.classList.contains('sub'); });
      const seen = rows.filter(function (row) { return !row.hidden; }).length;
      all('[data-shown]', list).forEach(function (said) { said.textContent = seen + ' of ' + rows.length + ' shown'; });
    });
  });

  // Keys: j and k walk the findings; the arrows and brackets walk the replay.
  document.addEventListener('keydown', function (e) {
    // On many keyboards a bracket needs AltGr (told as Ctrl and Alt) or Option: what was typed counts.
    const bracket = e.key === '[' || e.key === ']';
    const typed = bracket && e.ctrlKey === e.altKey || bracket && e.altKey;
    if (e.metaKey || (e.ctrlKey || e.altKey || e.shiftKey) && !bracket || bracket && !typed) { return; }
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) { return; }
    // A region that scrolls sideways keeps its own arrow keys.
    if (/^Arrow/.test(e.key) && e.target.closest && e.target.closest('.scroll, .errbox')) { return; }
    const rows = all('.find:not([hidden]) > details > summary');
    if ((e.key === 'j' || e.key === 'k') && rows.length) {
      const at = rows.indexOf(document.activeElement);
      const next = rows[Math.max(0, Math.min(rows.length - 1, at + (e.key === 'j' ? 1 : -1)))];
      next.focus(); next.scrollIntoView({ block: 'nearest' });
      return;
    }
    const link = document.querySelector('[data-key="' + CSS.escape(e.key) + '"]');
    if (link) { e.preventDefault(); link.click(); }
  });

  // Printing opens every finding, then puts the page back as it was.
  let shut = [];
  window.addEventListener('beforeprint', function () {
    shut = all('details:not([open])'); shut.forEach(function (d) { d.open = true; });
  });
  window.addEventListener('afterprint', function () { shut.forEach(function (d) { d.open = false; }); });

  // A link to a finding opens it and whatever it is folded under.
  function reveal() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) { return; }
    for (let d = target.closest('details'); d; d = d.parentElement.closest('details')) { d.open = true; }
    target.scrollIntoView();
  }
  window.addEventListener('hashchange', reveal); reveal();

  // An opened finding is in the address, and its link can be copied.
  all('.finds details').forEach(function (d) {
    d.addEventListener('toggle', function (e) {
      const place = d.querySelector('.landing');
      if (d.open && place && e.target === d && document.activeElement && d.contains(document.activeElement)) {
        history.replaceState(null, '', '#' + place.id);
      }
    });
  });
  all('[data-copy]').forEach(function (button) {
    if (!navigator.clipboard) { return; }
    button.hidden = false;
    button.addEventListener('click', function () {
      const link = location.href.split('#')[0] + '#' + button.dataset.copy;
      navigator.clipboard.writeText(link).then(function () { button.textContent = 'copied'; });
    });
  });

  // A strip wider than the screen starts at the event shown; so does the list of a long round.
  all('.strip.scroll').forEach(function (s) {
    const now = s.querySelector('.tl-now');
    if (now) { s.scrollLeft += now.getBoundingClientRect().left - s.getBoundingClientRect().left - s.clientWidth / 2; }
  });
  all('.log [aria-current]').forEach(function (li) {
    const list = li.parentElement;
    if (list.scrollHeight > list.clientHeight) { list.scrollTop = li.offsetTop - list.offsetTop - list.clientHeight / 3; }
  });

  // Who chooses a rulings file means it.
  all('input[name=rulings_file]').forEach(function (file) {
    const choice = file.form.elements.rulings;
    if (choice) { file.addEventListener('change', function () { if (file.files.length) { choice.value = 'file'; } }); }
  });

  // The place for files shows that it heard.
  all('.drop').forEach(function (zone) {
    ['dragenter', 'dragover'].forEach(function (n) { zone.addEventListener(n, function () { zone.classList.add('over'); }); });
    ['dragleave', 'drop'].forEach(function (n) { zone.addEventListener(n, function () { zone.classList.remove('over'); }); });
  });
}());
