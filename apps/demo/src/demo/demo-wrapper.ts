import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectWrapper, type WrapperClient } from '@service-link/pipe-client'
import { now, type WrapperState } from '../home/demo-state.ts'
import { runProgram } from './run-program.ts'

const signInMs = 15_000

/** The landing page's button puts one of them in focus, in turn. */
const persons = [
  { customId: '1001', firstname: 'Kari', lastname: 'Nordmann', dateOfBirth: '1984-02-29' },
  { customId: '1002', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' },
]

/** Where the wrapper's page is, by what draws it. */
const places = { window: 'in its window', headless: 'without a window', memory: 'with a page in memory' }

interface DriveWrapperOptions {
  readonly window: keyof typeof places
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly userFolder: string
  /** Starts the wrapper; the promise settles at its end. */
  readonly start: () => Promise<unknown>
  /** Signs a payload that opens a patient; the wrapper posts it. */
  readonly signVisit: () => Promise<string | undefined>
  /** Whether the service has just asked for a log-in. */
  readonly asksForLogIn: () => boolean
}

export type DrivenWrapper = ReturnType<typeof driveWrapper>

/** Starts the demo's wrapper, and drives it as a partner's program does. */
export function driveWrapper({ window, userFolder, environment, ...options }: DriveWrapperOptions) {
  const place = places[window]
  let isRunning = false
  let client: WrapperClient | undefined
  let status: Awaited<ReturnType<WrapperClient['status']>> | undefined
  let more: string | undefined
  const tell = (outcome: string) => {
    more = `${now()} ${outcome}`
  }

  async function run(): Promise<void> {
    isRunning = true
    await options.start().catch((error: Error) => tell(error.message))
    isRunning = false
    client = undefined
  }

  /** Connects, and asks again after each event: the console shows each question. */
  async function follow(): Promise<void> {
    const connected = await connectWrapper({ userFolder, reconnect: false })
    const events = connected.events()[Symbol.asyncIterator]()
    let next = events.next()
    // Avoids an unhandled rejection.
    next.catch(() => undefined)
    status = await connected.status()
    client = connected
    const watch = async () => {
      for (let event = await next; !event.done; event = await next) {
        next = events.next()
        status = await connected.status()
      }
    }
    // The connection ends with the wrapper.
    void watch()
      .catch(() => undefined)
      .finally(() => {
        client = undefined
      })
  }

  let following: Promise<void> | undefined

  /** Its state for the landing page. */
  async function state(): Promise<WrapperState> {
    const told = more === undefined ? {} : { more }
    if (!isRunning) return { tone: 'waits', text: 'The wrapper has ended.', does: 'start', ...told }
    try {
      if (!client) {
        following ??= follow().finally(() => {
          following = undefined
        })
        await following
      }
      const { isSignedIn, person } = status ?? { isSignedIn: false }
      const name = `${person?.firstname ?? ''} ${person?.lastname ?? ''}`.trim()
      if (person) return { tone: 'done', text: `${name} is in focus, ${place}.`, does: 'select', ...told }
      const who = isSignedIn ? ', and somebody is signed in' : '. Nobody is signed in'
      return { tone: 'waits', text: `The wrapper runs ${place}${who}.`, does: 'select', ...told }
    } catch {
      return { tone: 'waits', text: 'The wrapper is starting …', does: 'nothing', ...told }
    }
  }

  /** Signs the wrapper in by a signed link, unless somebody is. */
  async function signIn(wrapper: WrapperClient): Promise<boolean> {
    const isSignedIn = async () => (await wrapper.status()).isSignedIn
    if (await isSignedIn()) return true
    const file = join(options.folder, 'landing-page.jwt')
    await writeFile(file, (await options.signVisit()) ?? '', { mode: 0o600 })
    await runProgram('wrapper', [`payload=@${file}`, 'wait=true'], { environment })
    // The page tells who is signed in once it is loaded again, unless the service asks for a log-in.
    const limit = AbortSignal.timeout(signInMs)
    while (!limit.aborted && !options.asksForLogIn() && !status?.isSignedIn) await delay(100)
    return isSignedIn()
  }

  async function drive(): Promise<string> {
    if (!client) {
      if (!isRunning) void run()
      return 'The wrapper is starting. Press the button again when it runs.'
    }
    if (!(await signIn(client)))
      throw new Error(
        window === 'window'
          ? 'Nobody is signed in. Log in in the wrapper’s window, then press the button again.'
          : 'Nobody is signed in. Do step 1 first: it links the employee, and then a signed link signs the wrapper in.',
      )
    const { person: before } = await client.status()
    const person = persons.find(({ customId }) => customId !== before?.customId)
    if (!person) throw new TypeError('The demo has no other person.')
    const begun = performance.now()
    const { status, userId } = await client.selectPerson(person)
    const elapsedMs = Math.round(performance.now() - begun)
    return `selectperson → ${status}, userid ${userId}, after ${elapsedMs} ms`
  }

  void run()
  return { state, drive: () => drive().then(tell, (error: Error) => tell(error.message)) }
}
