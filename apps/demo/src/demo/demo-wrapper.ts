import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectWrapper, type WrapperClient } from '@service-link/pipe-client'
import { said, type WrapperState } from '../home/demo-state.ts'
import { runProgram } from './run-program.ts'
import { travelledByPipe } from './travelled.ts'

const signInMs = 15_000

const measured = (date: string, weight: string, pain: string) => [
  { key: 'weight', name: 'Weight', value: weight, unit: 'kg', date, source: 'Nordlys Journal' },
  { key: 'painscore', name: 'Pain, 0 to 10', value: pain, date, source: 'Nordlys Journal' },
]

/** The landing page's button opens one of them, in turn. */
const persons = [
  {
    customId: '1001',
    firstname: 'Kari',
    lastname: 'Nordmann',
    dateOfBirth: '1984-02-29',
    profileData: measured('2026-10-12', '71.5', '4'),
  },
  {
    customId: '1002',
    firstname: 'Ola',
    lastname: 'van Dyk',
    dateOfBirth: '1980-04-03',
    profileData: measured('2026-10-13', '88', '2'),
  },
]

interface DriveWrapperOptions {
  /** Where the wrapper's page is, by what draws it. */
  readonly window: 'window' | 'headless' | 'memory'
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly userFolder: string
  /** Starts the wrapper; the promise settles at its end. */
  readonly start: () => Promise<unknown>
  /** Signs a payload that opens a patient; the wrapper posts it. */
  readonly signVisit: () => Promise<string | undefined>
  /** How often the service has asked programs for a log-in. */
  readonly logInsAsked: () => number
}

/** What the last press came to. It holds while the patient in focus is the one that the press left there. */
interface Told extends Pick<WrapperState, 'more' | 'travelled'> {
  readonly shownId?: string | undefined
}

export type DrivenWrapper = ReturnType<typeof driveWrapper>

/** Starts the demo's wrapper, and drives it as a partner's program does. */
export function driveWrapper({ window, userFolder, environment, ...options }: DriveWrapperOptions) {
  let isRunning = false
  let client: WrapperClient | undefined
  let status: Awaited<ReturnType<WrapperClient['status']>> | undefined
  let told: Told = {}
  let driven: WrapperState['driven'] = 'ready'
  /** A patient whom the last press did not open. */
  let missedId: string | undefined
  const tellProblem = ({ message }: Error) => {
    told = { more: said('problem', { message }), shownId: status?.person?.customId }
  }

  async function run(): Promise<void> {
    isRunning = true
    await options.start().catch(tellProblem)
    isRunning = false
    client = undefined
    status = undefined
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
    if (told.more?.key === 'pressAgain') told = {}
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
    const about = (id: string | undefined) => {
      const { shownId, ...words } = told
      return { does: 'select' as const, driven, ...(shownId === id && words) }
    }
    if (!isRunning) return { ...about(undefined), tone: 'waits', says: said('wrapperEnded'), does: 'start' }
    try {
      if (!client) {
        following ??= follow().finally(() => {
          following = undefined
        })
        await following
      }
      const { isSignedIn, person } = status ?? { isSignedIn: false }
      const name = `${person?.firstname ?? ''} ${person?.lastname ?? ''}`.trim()
      const shown = about(person?.customId)
      if (driven === 'refused' && shown.more) return { ...shown, tone: 'refused', says: said('notSelected') }
      if (person) return { ...shown, tone: 'done', says: said(`selected_${window}`, { name }) }
      const says = said(isSignedIn ? `signedIn_${window}` : `signedOut_${window}`)
      return { ...shown, tone: 'waits', says }
    } catch {
      return { ...about(undefined), tone: 'waits', says: said('wrapperStarts'), does: 'nothing' }
    }
  }

  /** Signs the wrapper in by a signed link, unless somebody is. */
  async function signIn(wrapper: WrapperClient): Promise<boolean> {
    const isSignedIn = async () => (await wrapper.status()).isSignedIn
    if (await isSignedIn()) return true
    const file = join(options.folder, 'landing-page.jwt')
    const before = options.logInsAsked()
    await writeFile(file, (await options.signVisit()) ?? '', { mode: 0o600 })
    await runProgram('wrapper', [`payload=@${file}`, 'wait=true'], { environment })
    // The page tells who is signed in once it is loaded again, unless the service asks for a log-in.
    const limit = AbortSignal.timeout(signInMs)
    while (!limit.aborted && options.logInsAsked() === before && !status?.isSignedIn) await delay(100)
    return isSignedIn()
  }

  async function press(): Promise<Told> {
    if (!client) {
      if (!isRunning) void run()
      return { more: said('pressAgain') }
    }
    if (!(await signIn(client))) return { more: said(window === 'window' ? 'logInThere' : 'doStepOne') }
    const { person: before } = await client.status()
    const person = persons.find(({ customId }) => customId !== (missedId ?? before?.customId))
    if (!person) throw new TypeError('The demo has no other person.')
    missedId = person.customId
    const begun = performance.now()
    const { status, userId } = await client.selectPerson(person)
    missedId = undefined
    const more = said('answered', { status, userId, elapsedMs: Math.round(performance.now() - begun) })
    return { more, travelled: travelledByPipe(person), shownId: person.customId }
  }

  async function drive(): Promise<void> {
    const before = driven
    driven = 'waits'
    try {
      told = await press()
      driven = told.travelled ? 'done' : before
    } catch (error) {
      driven = 'refused'
      tellProblem(error instanceof Error ? error : new Error('Unknown'))
    }
  }

  void run()
  return { state, drive }
}
