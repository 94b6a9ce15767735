import type { Person, SelectPersonReply, User, Workout } from '@service-link/protocol-core'
import type { FoundWrapper } from '../find/find-wrappers.ts'

/** Bounds of one call. */
export interface CallOptions {
  /** Longest wait for the whole call, in milliseconds, `Infinity` for as long as it takes. Default: the client's. */
  readonly timeoutMs?: number
  /** Gives the call up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Whose workouts: the person's id in the partner's system or in the service. With both, `userId` decides. */
export type WorkoutOwner =
  | { readonly customId: string; readonly userId?: number }
  | { readonly customId?: string; readonly userId: number }

/** Argument of {@link WrapperClient.getWorkoutsForClient}. */
export type WorkoutQuery = WorkoutOwner & {
  /** A date, `yyyy-MM-dd`; only workouts newer than it are returned. Default: all. */
  readonly from?: string
}

/** Argument of {@link WrapperClient.getListOfUsers}. */
export interface UserQuery {
  /** Only users with this id in the partner's system; it is not unique, so there may be several. Default: all. */
  readonly customId?: string
}

/** Argument of {@link WrapperClient.setCustomId}. */
export interface CustomIdChange {
  /** Service user id, as `getListOfUsers` returns it. */
  readonly userId: number
  /** Id of the person in the partner's system. */
  readonly customId: string
}

/** Who is in focus, as other programs of the user are told: enough to recognise the person, and no more. */
export interface FocusedPerson {
  /** Service user id. */
  readonly userId?: number
  /** Id of the person in the partner's system; not unique. */
  readonly customId?: string
  readonly firstname?: string
  readonly lastname?: string
}

/** What {@link WrapperClient.status} tells. */
export interface WrapperStatus {
  /** Whether the web app is there and takes commands. */
  readonly isLoaded: boolean
  /** Whether somebody is signed in to it. */
  readonly isSignedIn: boolean
  /** The person in focus; missing when there is none. */
  readonly person?: FocusedPerson
}

/** Something that happened in the wrapper, by whichever way it came about. */
export type WrapperEvent =
  /** A person has come into focus. */
  | { readonly type: 'personselected'; readonly person: FocusedPerson }
  /** Somebody has signed in to the web app. */
  | { readonly type: 'signedin' }
  /** Nobody is signed in any more, and nobody is in focus. */
  | { readonly type: 'signedout' }
  /** A workout was opened because a program or a launch asked for it; its id is what `openWorkout` takes. */
  | { readonly type: 'workoutopened'; readonly id: number }
  /** The wrapper is exiting. It is the last event. */
  | { readonly type: 'closing' }

/** Name of an event. */
export type WrapperEventType = WrapperEvent['type']

/** Options of {@link WrapperClient.events}. */
export interface EventsOptions {
  /** Which events are told. Default: all. */
  readonly events?: readonly WrapperEventType[]
  /** Ends the iteration; it then throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Most events that may wait unread. Default 1,000. */
  readonly maxQueued?: number
}

/**
 * One running wrapper. Each method is one command (specification 4.5) and rejects with
 *
 * - {@link PipeRefusedError} when the wrapper answers that it did not carry it out
 * - {@link PipeNotFoundError} when the wrapper has exited, and there is no other to connect to
 * - {@link PipeTimeoutError}, {@link PipeClosedError}, {@link PipeDeniedError}, {@link PipeReplyError}
 * - `FrameError` when the arguments are longer than a wrapper accepts, 1 MiB
 * - `ParameterError` when an argument is of another kind; nothing was sent then
 * - `RangeError` when the time-out is negative or not a number
 * - the signal's reason when it is aborted; a command that the wrapper has by then is abandoned there in the session
 *   mode, and whether it had an effect is not known
 *
 * Calls may overlap. In the session mode all go over one connection, and in the classic mode each over its own; either
 * way a bounded number is with the wrapper at a time, in the session mode of no more than 4 MiB together, and the others wait here in
 * the order of the calls. In the session mode `status`, `version`, `close` and the beginning of an iteration wait for no other. No call is ever sent twice.
 *
 * When the connection has ended, the next call connects again (see `reconnect` of {@link ConnectWrapperOptions}) and can
 * reject with whatever `connectWrapper` rejects with. Connecting has the time-out of `connectWrapper`; a call that gives up earlier
 * leaves it running, and the next one joins it. A client without a call, without an iteration of events and without a connection
 * that is being made does not keep the process alive.
 */
export interface WrapperClient extends AsyncDisposable {
  /** The wrapper that this client commands now; another one after it has connected again. */
  readonly wrapper: FoundWrapper
  /**
   * How the client speaks with it now: the classic mode is all that an older wrapper has. One that was asked for the session mode and
   * did not answer is asked again before a call that needs it, at most every 30 seconds.
   */
  readonly mode: 'session' | 'classic'
  /** Minimises the window. */
  hide(options?: CallOptions): Promise<void>
  /** Restores the window and brings it to the front. */
  show(options?: CallOptions): Promise<void>
  /** Tells the wrapper's version, four numbers with dots between them. */
  version(options?: CallOptions): Promise<string>
  /**
   * Exits the wrapper. It answers before it exits. Calls that are pending then fail: await first what shall be done before. To end
   * only the connection, see {@link disconnect}.
   */
  close(options?: CallOptions): Promise<void>
  /** Returns the workouts of one person. */
  getWorkoutsForClient(query: WorkoutQuery, options?: CallOptions): Promise<Workout[]>
  /** Opens a workout in the web app. */
  openWorkout(id: number, options?: CallOptions): Promise<void>
  /** Returns the users of the organisation. */
  getListOfUsers(query?: UserQuery, options?: CallOptions): Promise<User[]>
  /** Sets the partner's id of a user. */
  setCustomId(change: CustomIdChange, options?: CallOptions): Promise<void>
  /**
   * Puts a person in focus, who is created when there is none. Needs `firstname`, `lastname` and one of `customId` and
   * `userId`; `userId: 0` always creates and needs `customId`. `middlename`, `ssn`, `diagnosis` and `genderAsSent` do
   * not travel on the pipe.
   *
   * @throws {ParameterError} when a name is missing, or `profileData` holds what JSON cannot carry
   */
  selectPerson(person: Person, options?: CallOptions): Promise<SelectPersonReply>
  /**
   * Searches exercises in the web app (specification 4.3).
   *
   * @throws {PipeUnsupportedError} when the wrapper has the classic mode alone
   */
  queryExercises(text: string, options?: CallOptions): Promise<void>
  /**
   * Searches workouts in the web app (specification 4.3).
   *
   * @throws {PipeUnsupportedError} when the wrapper has the classic mode alone
   */
  queryWorkouts(text: string, options?: CallOptions): Promise<void>
  /**
   * Tells whether the web app is loaded, whether somebody is signed in, and who is in focus.
   *
   * @throws {PipeUnsupportedError} when the wrapper has the classic mode alone
   */
  status(options?: CallOptions): Promise<WrapperStatus>
  /**
   * Tells what happens in the wrapper from the moment when the iteration begins: whatever a later call of this client
   * brings about is told. Several iterations may run, each with events of its own choice. Leave the loop, or abort the
   * signal, to end one.
   *
   * An iteration ends by itself after `closing` and after {@link disconnect}. What came in before an end of any kind is
   * still told, except when the signal was aborted. It throws
   *
   * - {@link PipeClosedError} when the connection breaks: events may be missed then. A new iteration connects again.
   * - {@link PipeOverflowError} when more than `maxQueued` events wait unread
   * - {@link PipeUnsupportedError} when the wrapper has the classic mode alone, or does not know one of `events`
   * - the signal's reason when it is aborted
   * - what connecting again, or the request to be told events, rejects with: only the iteration that it was made for ends then
   *
   * @throws {ParameterError} at once, when an option is of another kind
   * @throws {RangeError} at once, when `maxQueued` is not a whole number of 1 or more
   * @example
   * ```ts
   * import { connectWrapper } from '@service-link/pipe-client'
   *
   * await using wrapper = await connectWrapper()
   * for await (const event of wrapper.events({ events: ['personselected', 'closing'] }))
   *   console.log(event.type === 'personselected' ? event.person.customId : 'The wrapper is closing.')
   * ```
   */
  events(options?: EventsOptions): AsyncIterable<WrapperEvent>
  /**
   * Ends the connection; the wrapper goes on running. Calls that are pending reject with {@link PipeClosedError}, and so do later
   * calls and iterations; iterations of events that are running end. Where a call connects again just then, that ends as well, with a
   * wrapper that is being started for it, which is waited for. Never rejects; the same as `await using`.
   */
  disconnect(): Promise<void>
}
