/**
 * First address of the window: an empty page. The web app is opened only when everything is prepared, so that no first
 * load goes out without the user agent or the page script. (With `about:blank` it would not be an app window.)
 */
export const startPage = `data:text/html;charset=utf-8,${encodeURIComponent(
  '<meta name="color-scheme" content="light dark"><title>\u2026</title>',
)}`
