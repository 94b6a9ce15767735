import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectWrapper, type WrapperClient } from '@service-link/pipe-client'
import { type Board, type DemoState, now, type WrapperState } from '../home/demo-state.ts'
import { runProgram } from './run-program.ts'
import { within } from './waits.ts'

const signInMs = 15_000

/** The landing page's button puts one of them in focus, in turn. */
const persons = [
  { customId: '1001', firstname: 'Kari', lastname: 'Nordmann', dateOfBirth: '1984-02-29' },
  { customId: '1002', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' },
]

/** Where the wrapper's page is, by what draws it. */
const places = { window: 'in its window', headless: 'without a window', memory: 'with a page in memory' }

interface DriveWrapperOptions {
  readonly board: Board
  readonly window: keyof typeof places
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly userFolder: string
  /** Starts the wrapper; the promise settles at its end. */
  readonly start: () => Promise<unknown>
  /** Signs a payload that opens a patient; the wrapper posts it. */
  readonly signVisit: () => Promise<string | undefined>
}

/** Starts the demo's wrapper, shows its events on the board, and drives it as a partner's program does. */
export function driveWrapper(options: DriveWrapperOptions) {
  const { board, userFolder, environment } = options
  let client: WrapperClient | undefined
  const place = places[options.window]
  let shown = ''
  const change = (changes: Partial<WrapperState>) =>
    board.change({ wrapper: { ...board.state.wrapper, ...changes } })
  const tell = (outcome: string) => change({ more: `${now()} ${outcome}` })
  const runs = (isSignedIn: boolean) => {
    const who = isSignedIn ? ', and somebody is signed in' : '. Nobody is signed in'
    change({ tone: 'waits', text: `The wrapper runs ${place}${who}.`, does: 'select', isSignedIn })
  }
  const inFocus = ({ firstname = '', lastname = '' }: { firstname?: string; lastname?: string }) => {
    shown = `${firstname} ${lastname}`.trim()
    const text = `${shown} has been in focus since ${now()}, ${place}.`
    change({ tone: 'done', text, does: 'select', isSignedIn: true })
  }

  /** Watches one wrapper from its start to its end. */
  async function run(): Promise<void> {
    change({ tone: 'waits', text: 'The wrapper is starting …', does: 'nothing' })
    let hasEnded = false
    options
      .start()
      .catch((error: Error) => tell(error.message))
      .finally(() => {
        hasEnded = true
      })
    try {
      while (!client && !hasEnded) client = await connectOrWait(userFolder)
      if (!client) return
      const events = client.events()[Symbol.asyncIterator]()
      let next = events.next()
      const { isSignedIn, person } = await client.status()
      if (person) inFocus(person)
      else runs(isSignedIn)
      for (let event = await next; !event.done; event = await next) {
        next = events.next()
        const { type } = event.value
        if (type === 'personselected') inFocus(event.value.person)
        else if (type === 'signedin' || type === 'signedout') runs(type === 'signedin')
      }
    } catch {
      // The connection ends with the wrapper.
    } finally {
      client = undefined
      change({ tone: 'waits', text: 'The wrapper has ended.', does: 'start', isSignedIn: false })
    }
  }

  /** Signs the wrapper in by a signed link, unless somebody is. */
  async function signIn(wrapper: WrapperClient): Promise<boolean> {
    if ((await wrapper.status()).isSignedIn) return true
    const file = join(options.folder, 'landing-page.jwt')
    await writeFile(file, (await options.signVisit()) ?? '', { mode: 0o600 })
    const begun = board.state
    await runProgram('wrapper', [`payload=@${file}`, 'wait=true'], { environment })
    // The page tells who is signed in once it is loaded again, unless the service asks for a log-in.
    await within(
      'The sign-in',
      signInMs,
      changeOf(board, state => {
        const asksForLogIn = state.link !== begun.link && state.link.tone !== 'done'
        return asksForLogIn || state.wrapper.isSignedIn
      }),
    ).catch(() => undefined)
    return (await wrapper.status()).isSignedIn
  }

  async function drive(): Promise<string> {
    if (!client) {
      void run()
      return 'The wrapper is starting. Press the button again when it runs.'
    }
    if (!(await signIn(client)))
      throw new Error(
        options.window === 'window'
          ? 'Nobody is signed in. Log in in the wrapper’s window, then press the button again.'
          : 'Nobody is signed in. Do step 1 first: it links the employee, and then a signed link signs the wrapper in.',
      )
    const person = persons.find(({ firstname, lastname }) => `${firstname} ${lastname}` !== shown)
    if (!person) throw new TypeError('The demo has no other person.')
    const begun = performance.now()
    const { status, userId } = await client.selectPerson(person)
    const elapsedMs = Math.round(performance.now() - begun)
    return `selectperson → ${status}, userid ${userId}, after ${elapsedMs} ms`
  }

  void run()
  return (): Promise<void> => drive().then(tell, (error: Error) => tell(error.message))
}

/** Settles when the state fits, now or later. */
function changeOf(board: Board, fits: (state: DemoState) => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (fits(board.state)) resolve()
  const forget = board.onChange(state => {
    if (fits(state)) resolve()
  })
  return promise.finally(forget)
}

/** A starting wrapper tells nobody that its pipe is there, and may refuse at first. */
async function connectOrWait(userFolder: string): Promise<WrapperClient | undefined> {
  try {
    return await connectWrapper({ userFolder, reconnect: false })
  } catch {
    await delay(200)
    return undefined
  }
}
