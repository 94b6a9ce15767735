import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { connectWrapper, type WrapperClient } from '../../packages/pipe-client/src/index.ts'
import { claimInstance } from '../../packages/wrapper-host/src/start/claim-instance.ts'
import { newWrapper } from '../../packages/wrapper-host/test/support/new-wrapper.ts'
import type { Outcome, Wish } from '../model/state.ts'
import type { Seen } from './model-side.ts'
import { type PageFaults, TracedPage } from './traced-page.ts'

/** Number of journals, each with a connection. */
export const journalCount = 2

const argumentsOf = {
  A: ['id=A', 'firstname=Kari', 'lastname=Nordmann', 'dateofbirth=1980-04-03'],
  B: ['id=B', 'firstname=Ola', 'lastname=Ås', 'dateofbirth=1980-04-03'],
}
const persons = {
  A: { customId: 'A', firstname: 'Kari', lastname: 'Nordmann' },
  B: { customId: 'B', firstname: 'Ola', lastname: 'Ås' },
}

/** What a caller is told, by the code of its failure. */
const failures: Readonly<Record<string, Outcome>> = {
  ERR_SUPERSEDED: 'superseded',
  ERR_NOT_FOUND: 'refused',
  ERR_NOT_SIGNED_IN: 'other-user',
  ERR_SIGNED_OUT: 'other-user',
  ERR_CANCELLED: 'other-user',
  ERR_WEB_APP: 'gone',
  ERR_CLOSING: 'gone',
}

interface Shown {
  readonly wish: Wish
  readonly focusNumber: number
}

/** A real wrapper with its pipe, its hand-off and clients in session mode. Its page is in memory. */
export async function startRealSide(faults: PageFaults = {}) {
  await using stack = new AsyncDisposableStack()
  const page = new TracedPage(faults)
  const desk = stack.use(await newWrapper({ engine: page.engine }))
  await desk.run()
  const connect = () => connectWrapper({ userFolder: desk.userFolder })
  const journals = await Promise.all(Array.from({ length: journalCount }, connect))
  stack.defer(async () => void (await Promise.all(journals.map(client => client.disconnect()))))
  const outcomes: (Outcome | 'waits')[] = []
  const answers: Promise<void>[] = []
  const given: AbortController[] = []
  const launchIds: string[] = []
  const launches = new Set<number>()
  let kills = 0
  /** Successful selections, in the order in which their callers were told. */
  const shown: Shown[] = []

  const follow = (
    wish: Wish,
    signal: AbortSignal,
    answer: Promise<{ readonly focusNumber?: number | null | undefined } | undefined>,
  ) => {
    const id = outcomes.push('waits') - 1
    const told = (outcome: Outcome) => {
      outcomes[id] = outcome
    }
    answers.push(
      answer.then(
        reply => {
          told(wish.does === 'select' ? 'shown' : wish.does === 'clear' ? 'cleared' : 'signed-out')
          if (wish.does === 'select') shown.push({ wish, focusNumber: reply?.focusNumber ?? 0 })
        },
        (error: { readonly commandCode?: string; readonly code?: string }) =>
          told(signal.aborted ? 'given-up' : (failures[error.commandCode ?? error.code ?? ''] ?? 'gone')),
      ),
    )
  }
  const launch = async (argv: readonly string[], id: string, signal: AbortSignal) => {
    const request = { id, argv: ['wait=true', ...argv], workingDirectory: desk.folder }
    const claim = await claimInstance(desk.place, { launch: request }, { signal })
    if (claim.role === 'wrapper') throw new Error('The wrapper has exited.')
    if (claim.outcome.status !== 'refused') return claim.outcome as { readonly focusNumber?: number }
    throw Object.assign(new Error('refused'), { code: claim.outcome.code })
  }
  const owned = stack.move()

  return {
    page,
    click(wish: Wish, journal: number): void {
      const giving = new AbortController()
      given.push(giving)
      const { signal } = giving
      const client = journals[journal] as WrapperClient
      const { person } = wish
      if (person && wish.isLaunch) {
        const id = randomUUID()
        launchIds.push(id)
        launches.add(outcomes.length)
        follow(
          wish,
          signal,
          launch([`provider=${desk.brand.providers.arguments}`, ...argumentsOf[person]], id, signal),
        )
      } else if (person) follow(wish, signal, client.selectPerson(persons[person], { signal }))
      else if (wish.does === 'clear')
        follow(
          wish,
          signal,
          client.clearPerson({}, { signal }).then(() => undefined),
        )
      else
        follow(
          wish,
          signal,
          client.signOut({ signal }).then(() => undefined),
        )
    },
    /** Number of clicks so far. */
    clicks: () => outcomes.length,
    isLaunch: (id: number) => launches.has(id),
    giveUp: (id: number) => given[id]?.abort(),
    reload: () => void page.engine.window?.reload(),
    crash: () => page.engine.window?.crash(),
    loseEngine() {
      kills++
      page.engine.window?.lose()
    },
    /** Resolves when the wrapper has taken all clicks. */
    async untilTaken(): Promise<void> {
      await Promise.all(journals.map(client => client.status()))
      if (launchIds.length + kills === 0) return
      const isTaken = async () => {
        const log = await readFile(join(desk.userFolder, 'logs', 'wrapper.log'), 'utf8')
        if (!launchIds.every(id => log.includes(id))) throw new Error('A launch is not taken.')
        if (log.split('engine-restarted').length <= kills) throw new Error('A browser is not there.')
      }
      await vi.waitFor(isTaken, { timeout: 20_000, interval: 2 })
    },
    async see(): Promise<Seen> {
      const { isSignedIn, person } = await (journals[0] as WrapperClient).status()
      const { isThere, session, drawn, works } = page.shown
      return { isThere, session, drawn, works, outcomes: [...outcomes], isSignedIn, focus: person?.customId }
    },
    /** What is wrong with the numbers of the focus that callers were told; `undefined` if nothing is. */
    numberFault(): string | undefined {
      for (const [place, one] of shown.entries())
        for (const later of shown.slice(place + 1))
          if (later.focusNumber <= one.focusNumber)
            return `${later.focusNumber} came after ${one.focusNumber}`
      return undefined
    },
    /** Exits the wrapper, and waits until every caller is told. */
    async [Symbol.asyncDispose]() {
      await owned.disposeAsync()
      await Promise.all(answers)
    },
  }
}

export type RealSide = Awaited<ReturnType<typeof startRealSide>>
