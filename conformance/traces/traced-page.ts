import { createMemoryEngine } from '../../packages/wrapper-host/src/testing/memory-engine.ts'
import type { MemorySession } from '../../packages/wrapper-host/src/testing/memory-page.ts'
import { connectPort, type Host } from '../../packages/wrapper-host/src/web-app/page/connect-host.ts'
import { HostCallError, type HostPort } from '../../packages/wrapper-host/src/web-app/page/messages.ts'
import type { Focus, Person, Wish } from '../model/state.ts'

/** Faults of a web app that a test of the tests seeds. */
export interface PageFaults {
  /** It keeps the person on the screen when its user signs out. */
  readonly keepsPerson?: boolean
  /** It carries out calls of a former user. */
  readonly servesFormerUser?: boolean
}

/** A call at work. */
interface Work {
  readonly what: string
  readonly signal: AbortSignal
  stage: 'asked' | 'drawn'
  /** Lets it go on: it draws, then it answers. One that was told to stop learns of that here, as late as the trace wants. */
  goOn(isRefused?: boolean): void
}

/** One document of the web app. */
interface Document {
  readonly host: Host
  readonly session: MemorySession
  number: number
  drawn: Focus
  readonly works: Work[]
}

/** What a user sees, and what the page is at work for. */
export interface Shown {
  readonly isThere: boolean
  readonly session: number
  readonly drawn: Focus
  readonly works: readonly string[]
}

const names: Readonly<Record<Person, object>> = {
  A: { customId: 'A', firstname: 'Kari', lastname: 'Nordmann' },
  B: { customId: 'B', firstname: 'Ola', lastname: 'Ås' },
}

/**
 * A web app in memory, by the real page module, whose every step is the trace's. For the documents of one session it keeps the person
 * in focus, as browsers keep what a page stores for its session.
 */
export class TracedPage {
  readonly engine
  readonly #faults: PageFaults
  readonly #kept = new WeakMap<MemorySession, Focus>()
  #sessions = 0
  #document: Document | undefined
  #free: PromiseWithResolvers<void> | undefined

  constructor(faults: PageFaults) {
    this.#faults = faults
    const load = (port: HostPort, session: MemorySession) => this.#load(port, session)
    this.engine = createMemoryEngine(
      { isOnline: true, load, answerPost: async () => 200 },
      { isSignedIn: false },
    )
  }

  get shown(): Shown {
    const { drawn, number: session = 0, works = [] } = this.#document ?? {}
    return {
      isThere: this.#document !== undefined,
      session,
      drawn,
      works: works.map(({ what, stage, signal }) => `${what} ${signal.aborted ? 'stopped' : stage}`),
    }
  }

  signIn(): void {
    const document = this.#present()
    document.session.isSignedIn = true
    document.number = ++this.#sessions
    document.host.signedIn()
  }

  signOut(): void {
    this.#signOut(this.#present())
    this.#present().host.signedOut()
  }

  choose(person: Person): void {
    this.#show(this.#present(), person)
  }

  /** While the page is busy, messages of the wrapper wait. */
  setBusy(isBusy: boolean): void {
    if (isBusy) this.#free ??= Promise.withResolvers()
    else {
      this.#free?.resolve()
      this.#free = undefined
    }
  }

  /** Lets the first call go on, or be refused. */
  goOn(isRefused = false): void {
    this.#present().works[0]?.goOn(isRefused)
  }

  #present(): Document {
    if (!this.#document) throw new Error('No page is there.')
    return this.#document
  }

  #load(port: HostPort, session: MemorySession): () => void {
    const works: Work[] = []
    const work = async (wish: Wish, signal: AbortSignal) => {
      const { promise: asked, resolve: goOn } = Promise.withResolvers<boolean | undefined>()
      const one: Work = { what: `${wish.does} ${wish.person ?? ''}`.trim(), signal, stage: 'asked', goOn }
      works.push(one)
      try {
        const isRefused = await asked
        signal.throwIfAborted()
        if (isRefused) throw new HostCallError('ERR_NOT_FOUND', 'There is no such person.')
        this.#show(document, wish.person)
        one.stage = 'drawn'
        const { promise: drawn, resolve: answer } = Promise.withResolvers<boolean | undefined>()
        one.goOn = answer
        await drawn
      } finally {
        works.splice(works.indexOf(one), 1)
      }
    }
    const handlers = {
      selectPerson: async (
        { customId = '' }: { readonly customId?: string | undefined },
        signal: AbortSignal,
      ) => {
        await work({ does: 'select', person: customId as Person }, signal)
        return { status: 'selected', userId: customId.charCodeAt(0), customId } as const
      },
      clearPerson: (_ids: object, signal: AbortSignal) => work({ does: 'clear' }, signal),
      signOut: () => {
        this.#signOut(document)
        document.host.signedOut()
      },
    }
    const host = connectPort(this.#slow(port), handlers, {
      onReturn: () => undefined,
      reload: () => undefined,
      reportError: () => undefined,
    })
    const { isSignedIn } = session
    const kept = isSignedIn ? this.#kept.get(session) : undefined
    const document: Document = {
      host,
      session,
      number: isSignedIn ? this.#sessions : 0,
      drawn: undefined,
      works,
    }
    this.#document = document
    if (isSignedIn) host.signedIn()
    if (kept) this.#show(document, kept)
    return () => {
      if (this.#document === document) this.#document = undefined
    }
  }

  #show(document: Document, focus: Focus): void {
    document.drawn = focus
    this.#kept.set(document.session, focus)
    if (focus) document.host.personSelected(names[focus])
    else document.host.personCleared()
  }

  #signOut(document: Document): void {
    document.session.isSignedIn = false
    document.number = 0
    if (this.#faults.keepsPerson) return
    document.drawn = undefined
    this.#kept.delete(document.session)
  }

  /** The port, whose messages wait for a busy page. */
  #slow(port: HostPort): HostPort {
    const take = async (message: unknown, receive: (message: unknown) => unknown) => {
      if (this.#free) await this.#free.promise
      const { servesFormerUser = false } = this.#faults
      return receive(servesFormerUser ? { ...(message as object), session: undefined } : message)
    }
    return { ...port, connect: receive => port.connect(message => take(message, receive)) }
  }
}
