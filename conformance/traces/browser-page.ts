import { setTimeout } from 'node:timers/promises'
import type { PageCall } from '../../internal/test-kit/src/wrapper-executable.ts'

/** What the user of the real browser does. */
export type Deed =
  | { readonly does: 'signIn' | 'signOut' | 'reload' | 'look' }
  | { readonly does: 'choose'; readonly id: string }

/** A web app that shows ids, keeps them for its session, and asks its server what its user does. */
export const browserPage = `<!doctype html><title>Web app of a trace</title><p id=shown></p><script type="module">
import { connectHost } from '/page/index.ts'
const ask = async (name, value) =>
  (await fetch('/calls', { method: 'POST', body: JSON.stringify({ name, value }) })).json()
const place = document.querySelector('#shown')
const show = id => {
  place.textContent = id
  sessionStorage.setItem('shown', id)
  if (id) host.personSelected({ customId: id })
  else host.personCleared()
}
const signOut = () => {
  document.cookie = 'user=1; max-age=0'
  place.textContent = ''
  sessionStorage.removeItem('shown')
  host.signedOut()
}
const work = async (id, signal) => {
  await ask('service', { id })
  signal.throwIfAborted()
  show(id)
  await ask('drawn', { id })
}
const host = connectHost({
  async selectPerson({ customId }, signal) {
    await work(customId, signal)
    return { status: 'selected', userId: Number(customId), customId }
  },
  clearPerson: (_ids, signal) => work('', signal),
  signOut,
})
if (document.cookie.includes('user=1')) {
  host.signedIn()
  const shown = sessionStorage.getItem('shown')
  if (shown) show(shown)
}
const deeds = {
  signIn() {
    document.cookie = 'user=1'
    host.signedIn()
  },
  signOut,
  choose: ({ id }) => show(id),
  reload: () => location.reload(),
  look: () => undefined,
}
for (let done = 0; ; ) {
  const shown = place.textContent
  const deed = await ask('user', { done, shown, isSignedIn: document.cookie.includes('user=1') })
  // A document that goes away says nothing more.
  if (deed.does === 'reload') await ask('gone', { number: deed.number })
  deeds[deed.does](deed)
  if (deed.does === 'reload') await new Promise(() => {})
  done = deed.number
}
</script>`

/** What the user sees. */
interface Look {
  readonly shown: string
  readonly isSignedIn: boolean
}

/** The server behind the page: the service, which may be slow, and the user's hands. */
export class BrowserPageServer {
  /** Ids in the order in which calls have drawn them; a cleared person is the empty one. */
  readonly drawn: string[] = []
  #isSlow = false
  #free = Promise.withResolvers<object>()
  #deeds = 0
  #done = 0
  #look: Look | undefined
  #waiting: ((deed: object) => void) | undefined

  setSlow(isSlow: boolean): void {
    this.#isSlow = isSlow
    if (isSlow) return
    this.#free.resolve({})
    this.#free = Promise.withResolvers()
  }

  /** Does it in the page, or in the next one if it goes away before. Returns what is seen afterwards. */
  async act(deed: Deed, signal: AbortSignal): Promise<Look> {
    const number = ++this.#deeds
    while (this.#done < number) {
      signal.throwIfAborted()
      this.#waiting?.({ ...deed, number })
      this.#waiting = undefined
      await setTimeout(5)
    }
    while (!this.#look) {
      signal.throwIfAborted()
      await setTimeout(5)
    }
    return this.#look
  }

  answer({ name, value }: PageCall): Promise<object> {
    if (name === 'service') return this.#isSlow ? this.#free.promise : Promise.resolve({})
    if (name === 'drawn') this.drawn.push(String(value.id))
    if (name === 'gone') {
      this.#done = Number(value.number)
      this.#look = undefined
    }
    if (name !== 'user') return Promise.resolve({})
    this.#done = Math.max(this.#done, Number(value.done))
    this.#look = { shown: String(value.shown), isSignedIn: value.isSignedIn === true }
    return new Promise(resolve => {
      this.#waiting = resolve
    })
  }
}
