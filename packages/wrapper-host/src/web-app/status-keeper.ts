import type { Person, PersonInFocus, SessionEvent, SessionStatus } from '@service-link/protocol-core'
import { EventListeners } from '@service-link/window-engine'
import type { Bridge, PageCommand } from './bridge.ts'
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
  #isLoaded = false
  #isClosing = false

  follow(window: FollowedWindow): void {
    this.#window = window
    const { bridge, signIn } = window
    this.#stops.push(
      signIn.on('changed', ({ isSignedIn }) => this.#changeSignIn(isSignedIn)),
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
    }
  }

  on(listener: (event: SessionEvent) => void): () => void {
    return this.#listeners.on('event', listener)
  }

  noteCarriedOut(command: PageCommand): void {
    if (command.name === 'openworkout') this.#emit({ event: 'workoutopened', data: { id: command.args.id } })
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

  #changeSignIn(isSignedIn: boolean): void {
    this.#emit(isSignedIn ? { event: 'signedin', data: null } : { event: 'signedout', data: null })
    this.#followPage()
  }

  #followPage(): void {
    if (!this.#window) return
    const { bridge, signIn } = this.#window
    const { isLoaded, personInFocus } = bridge.state
    const wasLoaded = this.#isLoaded
    this.#isLoaded = isLoaded
    if (!signIn.isSignedIn) {
      this.#told = personInFocus
      this.#person = null
      return
    }
    // A page that loads has said nothing yet.
    if (!isLoaded || personInFocus === this.#told) return
    this.#told = personInFocus
    const before = this.#person
    this.#person = personInFocus ? inFocus(personInFocus) : null
    const isRepeated = !wasLoaded && isSame(before, this.#person)
    if (this.#person && !isRepeated) this.#emit({ event: 'personselected', data: this.#person })
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
