// The program that draws one page for own-engine.ts. Yours shows a real page, in a WebView2, CEF or WebKit control. This one has no
// screen: it fetches the document, and gives the page script a global object to work on. Each line is a duty of yours as well.
import { createContext, runInContext } from 'node:vm'

const page = createContext({})
const tell = message => process.send?.(message)

process.on('message', async ({ load, id, value }) => {
  if (load) await show(load)
  else tell({ is: 'answer', id, ...(await answer(value)) })
})

async function show({ url, pageScript }) {
  const document = await fetch(url).catch(() => undefined)
  if (!document || [502, 503, 504].includes(document.status)) return tell({ is: 'failed' })
  // Before the page's own scripts, and only where the engine has found that this page may talk to the host.
  if (pageScript !== '')
    runInContext(`(${pageScript})`, page)(sent => tell({ is: 'message', json: JSON.stringify(sent) }))
  tell({ is: 'loaded' })
}

/** Calls what the page script has left. The text of the page's errors stays here: it may hold personal data. */
async function answer(value) {
  // The question whether the page's thread still answers.
  if (value === undefined) return {}
  const receive = page.__wrapperHost?.receive
  if (typeof receive !== 'function') return { fault: 'no-listener' }
  try {
    // The page gets an object of its own world.
    return { json: JSON.stringify(await receive(runInContext('JSON', page).parse(JSON.stringify(value)))) }
  } catch {
    return { fault: 'rejected' }
  }
}
