import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { mainPid } from '../../internal/test-kit/src/processes.ts'
import { type StartedExecutable, wrapperExecutable } from '../../internal/test-kit/src/wrapper-executable.ts'
import { connectWrapper, type WrapperClient } from '../../packages/pipe-client/src/index.ts'
import { defaultBrand } from '../../packages/protocol-core/src/index.ts'
import { BrowserPageServer, browserPage, type Deed } from './browser-page.ts'

const soon = { timeout: 60_000, interval: 20 }

/** A request on its way, by its place in the order in which the wrapper took it. */
interface Pending {
  readonly id: number
  readonly ended: Promise<'ok' | 'failed'>
}

/** A real wrapper process with a real browser, its journals, and what must be true of them. */
export async function openBrowserDesk() {
  await using stack = new AsyncDisposableStack()
  const server = new BrowserPageServer()
  const wrapper = stack.use(
    await wrapperExecutable({ page: browserPage, answerCall: call => server.answer(call) }),
  )
  let running: StartedExecutable | undefined
  let client: WrapperClient | undefined
  let last = 0
  let pending: Pending[] = []
  let lastNumber = 0
  /** Browsers that this wrapper has lost. It bears two in a minute. */
  let losses = 0
  /** Who must be shown; `undefined` where the trace does not know. */
  let expected: string | undefined = ''
  stack.defer(() => client?.disconnect())
  const owned = stack.move()
  const act = (deed: Deed) => server.act(deed, AbortSignal.timeout(60_000))
  const present = () => client as WrapperClient

  /** Follows a request. If nothing was accepted since, its success says who is shown. */
  const follow = (id: number, answer: Promise<unknown>, shown: string) => {
    expected = undefined
    const ended = answer.then(
      () => {
        if (shown) expect(server.drawn, 'told as shown, and not drawn').toContain(shown)
        if (id === last) expected = shown
        return 'ok' as const
      },
      () => 'failed' as const,
    )
    pending.push({ id, ended })
  }

  return {
    server,
    /** Starts wrapper and session where they are missing. */
    async begin(): Promise<void> {
      if (!running || running.child.exitCode !== null || running.child.signalCode !== null) {
        running = wrapper.start()
        await running.isWrapper
        client = await connectWrapper({ userFolder: wrapper.data })
        lastNumber = 0
        losses = 0
      }
      const { isSignedIn } = await act({ does: 'look' })
      if (!isSignedIn) await act({ does: 'signIn' })
      await vi.waitFor(async () => expect((await present().status()).isSignedIn).toBe(true), soon)
    },
    async click(): Promise<void> {
      const id = ++last
      const person = { customId: String(id), firstname: 'Kari', lastname: 'Nordmann' }
      const answer = present()
        .selectPerson(person)
        .then(({ focusNumber = 0 }) => {
          expect(focusNumber, 'the numbers rise').toBeGreaterThan(lastNumber)
          lastNumber = focusNumber ?? 0
        })
      follow(id, answer, String(id))
      await present().status()
    },
    async launch(): Promise<void> {
      const id = ++last
      const log = () => readFile(join(wrapper.data, 'logs', 'wrapper.log'), 'utf8')
      const taken = async () => (await log()).split('launch-taken').length
      const before = await taken()
      const names = [`id=${id}`, 'firstname=Kari', 'lastname=Nordmann', 'dateofbirth=1980-04-03']
      const { ended } = wrapper.start(`provider=${defaultBrand.providers.arguments}`, 'wait=true', ...names)
      const answer = ended.then(({ exitCode, errors }) => {
        if (exitCode !== 0) throw new Error(errors)
      })
      follow(id, answer, String(id))
      await vi.waitFor(async () => expect(await taken()).toBeGreaterThan(before), soon)
    },
    async clear(): Promise<void> {
      follow(++last, present().clearPerson(), '')
      await present().status()
    },
    async signOut(): Promise<void> {
      follow(++last, present().signOut(), '')
      await present().status()
    },
    async choose(): Promise<void> {
      const id = String(++last)
      const { isSignedIn } = await act({ does: 'look' })
      if (!isSignedIn) return
      await act({ does: 'choose', id })
      expected = pending.length === 0 ? id : undefined
    },
    async reload(): Promise<void> {
      await act({ does: 'reload' })
    },
    async killBrowser(): Promise<void> {
      if (++losses > 2) return this.killWrapper()
      last++
      expected = undefined
      // A sign-out puts a new browser in its place; the one that is named may have just ended.
      await vi.waitFor(async () => process.kill(await mainPid(wrapper.profileFolder), 'SIGKILL'), soon)
    },
    async killWrapper(): Promise<void> {
      last++
      expected = undefined
      running?.child.kill('SIGKILL')
      await running?.ended
      await client?.disconnect()
    },
    /** Waits until every caller is told, and compares. */
    async settle(): Promise<void> {
      server.setSlow(false)
      const isOver = Promise.all(pending.map(({ ended }) => ended))
      let areTold = false
      void isOver.then(() => {
        areTold = true
      })
      const isKilled = running?.child.signalCode !== null
      await vi.waitFor(async () => {
        // A launch waits for the next user without a limit.
        if (!areTold && !isKilled && !(await act({ does: 'look' })).isSignedIn) await act({ does: 'signIn' })
        expect(areTold, 'every caller is told').toBe(true)
      }, soon)
      pending = []
      const drawn = server.drawn.filter(Boolean).map(Number)
      expect(drawn, 'an older selection after a newer one').toEqual([...drawn].sort((a, b) => a - b))
      if (isKilled) return
      await vi.waitFor(async () => {
        const { shown, isSignedIn } = await act({ does: 'look' })
        if (expected !== undefined) expect(shown).toBe(expected)
        if (!isSignedIn) expect(shown, 'nobody is signed in').toBe('')
        const { person } = await present().status()
        expect(person?.customId ?? '', 'what other programs are told').toBe(shown)
      }, soon)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export type BrowserDesk = Awaited<ReturnType<typeof openBrowserDesk>>
