import {
  type CommandResult,
  type EndReason,
  type PageCommandName,
  type Person,
  type PersonInFocus,
  type SelectPersonAnswer,
  type SessionEvent,
  type SessionStatus,
  SupersededError,
} from '@service-link/protocol-core'
import { EventListeners } from '@service-link/window-engine'
import type { Bridge, PageCommand } from './bridge.ts'
import { isOtherPerson } from './page/messages.ts'
import type { SignInState } from './user-session.ts'

export interface FollowedWindow {
  readonly bridge: Pick<Bridge, 'state' | 'on'>
  readonly signIn: Pick<SignInState, 'isSignedIn' | 'on'>
}

/**
 * Status and events of the web app for other programs. Of the person in focus they get ids and name, and nothing once the user has
 * signed out.
 */
export class StatusKeeper implements Disposable {
  readonly #listeners = new EventListeners<{ event: SessionEvent }>()
  readonly #stops: (() => void)[] = []
  #window: FollowedWindow | undefined
  /** The page's last choice. Each choice is a new object. */
  #told: Person | undefined
  #person: PersonInFocus | null = null
  /** Number of the last change of focus. */
  #number = 0
  #isLoaded = false
  #isClosing = false

  follow(window: FollowedWindow): void {
    this.#window = window
    const { bridge, signIn } = window
    this.#stops.push(
      signIn.on('changed', ({ isSignedIn, reason }) => this.#changeSignIn(isSignedIn, reason)),
      bridge.on('stateChanged', () => this.#followPage()),
    )
    if (signIn.isSignedIn) this.#changeSignIn(true)
    else this.#followPage()
  }

  status(): SessionStatus {
    return {
      loaded: this.#isLoaded,
      signedin: this.#window?.signIn.isSignedIn ?? false,
      person: this.#person,
      focusNumber: this.#number,
    }
  }

  on(listener: (event: SessionEvent) => void): () => void {
    return this.#listeners.on('event', listener)
  }

  /**
   * Notes that the web app has carried out a command. The page has told before who is in focus.
   *
   * @returns the result for the caller: of `selectperson` with the number of the focus, and the receipt if it was asked for
   * @throws {SupersededError} if the person of a `selectperson` is not in focus any more
   */
  noteCarriedOut(
    command: PageCommand,
    result: CommandResult<PageCommandName>,
  ): CommandResult<PageCommandName> {
    if (command.name === 'openworkout') this.#emit({ event: 'workoutopened', data: { id: command.args.id } })
    if (command.name !== 'selectperson') return result
    const { status, userId, customId, employee } = result as SelectPersonAnswer
    if (!this.#person || isOtherPerson(this.#person, { userId, customId })) throw new SupersededError()
    const focusNumber = this.#number
    const reply = { status, userId, customId, focusNumber }
    if (!command.receipt) return reply
    const time = new Date().toISOString()
    return { ...reply, receipt: { time, focusNumber, employee, userId, customId } }
  }

  /** Emits the last event: the wrapper exits. */
  noteClosing(): void {
    this.#emit({ event: 'closing', data: null })
    this[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    this.#isClosing = true
    for (const stop of this.#stops.splice(0)) stop()
    this.#listeners.clear()
  }

  #changeSignIn(isSignedIn: boolean, reason?: EndReason): void {
    this.#emit(isSignedIn ? { event: 'signedin', data: null } : { event: 'signedout', data: { reason } })
    this.#followPage()
  }

  #followPage(): void {
    if (!this.#window) return
    const { bridge, signIn } = this.#window
    const { isLoaded, personInFocus, clearedBy } = bridge.state
    const wasLoaded = this.#isLoaded
    this.#isLoaded = isLoaded
    // A page that loads, or has signed its user out, says so in other ways.
    if (!signIn.isSignedIn || (isLoaded && !bridge.state.isSignedIn)) {
      this.#told = personInFocus
      if (!this.#person) return
      this.#person = null
      const focusNumber = ++this.#number
      if (signIn.isSignedIn && !wasLoaded)
        this.#emit({ event: 'personcleared', data: { reason: undefined, focusNumber } })
      return
    }
    // A page that loads has said nothing yet.
    if (!isLoaded || personInFocus === this.#told) return
    this.#told = personInFocus
    const before = this.#person
    this.#person = personInFocus ? inFocus(personInFocus) : null
    // A page that was loaded anew shows the same person.
    if (!wasLoaded && isSame(before, this.#person)) return
    const focusNumber = ++this.#number
    if (this.#person) this.#emit({ event: 'personselected', data: { ...this.#person, focusNumber } })
    else this.#emit({ event: 'personcleared', data: { reason: clearedBy, focusNumber } })
  }

  #emit(event: SessionEvent): void {
    if (!this.#isClosing) this.#listeners.emit('event', event)
  }
}

/** Ids and name only: each program of the user may ask. */
function inFocus({ userId, customId, firstname, lastname }: Person): PersonInFocus {
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(customId === undefined ? {} : { customId }),
    ...(firstname === undefined ? {} : { firstname }),
    ...(lastname === undefined ? {} : { lastname }),
  }
}

function isSame(a: PersonInFocus | null, b: PersonInFocus | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
