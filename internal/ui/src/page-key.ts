// The key of a page whose server answers its user alone. An address brings a key of one use in its fragment; the page
// changes it for the key, and keeps that for this tab and this port.

import en from './page.en.json' with { type: 'json' }
import nb from './page.nb.json' with { type: 'json' }
import { presentLanguage } from './page-language.ts'
import { readTexts } from './texts.ts'

const { t } = readTexts({ en, nb }, presentLanguage)

/** What to tell a user whose browser opened no tab. */
export const tabBlocked = () => t('tabBlocked')

const storageName = 'page-key'

const keyInFragment = /^#key=([\w-]+)&?/

let taken: Promise<string> | undefined

/** The page's key. The first call takes it out of the address: it comes before anything else that reads the fragment. */
export function receivePageKey(): Promise<string> {
  if (taken) return taken
  // A link with a key may be opened in a tab that shows the page already.
  addEventListener('hashchange', () => {
    if (keyInFragment.test(location.hash)) location.reload()
  })
  taken = receiveKey()
  return taken
}

async function receiveKey(): Promise<string> {
  const [start, once = ''] = keyInFragment.exec(location.hash) ?? []
  if (start !== undefined) {
    const rest = location.hash.slice(start.length)
    history.replaceState(null, '', `${location.pathname}${location.search}${rest && `#${rest}`}`)
    const answer = await fetch('/key', { method: 'POST', body: once, signal: AbortSignal.timeout(20_000) })
    if (answer.ok) sessionStorage.setItem(storageName, await answer.text())
  }
  return sessionStorage.getItem(storageName) ?? ''
}

/** `fetch` with the page's key. If the server does not take it, the page says where to get one. */
export async function keyedFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${await receivePageKey()}`)
  const answer = await fetch(input, { ...init, headers })
  if (answer.status === 403) showKeyProblem()
  return answer
}

/**
 * Opens another page of the demo in a new tab, which has a storage of its own.
 *
 * @returns what to tell the user if the browser opened no tab
 */
export async function openKeyed(url: string): Promise<string | undefined> {
  // Opened at once, because browsers block later windows.
  const tab = window.open('about:blank', '_blank')
  if (!tab) return tabBlocked()
  const answer = await keyedFetch('/keys', { method: 'POST' }).catch(() => undefined)
  if (answer?.ok) tab.location.href = `${url}#key=${await answer.text()}`
  else tab.close()
  return undefined
}

function showKeyProblem(): void {
  if (document.getElementById('key-problem')) return
  const page = document.createElement('main')
  page.id = 'key-problem'
  page.style.padding = '2rem'
  const title = document.createElement('h1')
  title.textContent = t('key.title')
  const text = document.createElement('p')
  text.setAttribute('role', 'alert')
  text.textContent = t('key.text')
  page.append(title, text)
  document.body.replaceChildren(page)
}
