// Follows work without reloading the page: [data-follow] is fetched again and put in place until it says settled.
// Without this script the page reloads itself.
'use strict';
(function () {
  const pause = 1000;
  async function look() {
    const here = document.querySelector('[data-follow]');
    if (!here || here.dataset.follow === 'settled') { return; }
    try {
      const answer = await fetch(location.href, { headers: { 'Accept': 'text/html', 'X-Following': '1' }, cache: 'no-store' });
      if (here.hasAttribute('data-drawing') && answer.status !== 202) { location.reload(); return; } // it may be a file to keep
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        const fresh = page.querySelector('[data-follow]');
        if (!fresh) { location.reload(); return; }
        const open = document.activeElement;
        // What has the reader's focus stays as it is until the reader leaves it.
        if (!here.contains(open)) { here.replaceWith(document.adoptNode(fresh)); }
      }
    } catch (error) {
      // The service is away for a moment; look again.
    }
    setTimeout(look, document.hidden ? 5 * pause : pause);
  }
  setTimeout(look, pause);
}());
