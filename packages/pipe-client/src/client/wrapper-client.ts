import type {
  EndReason,
  Person,
  SelectablePerson,
  SelectPersonReply,
  User,
  Workout,
} from '@service-link/protocol-core'
import type { FoundWrapper } from '../connection/channel.ts'

/** Limits of one call. */
export interface CallOptions {
  /** Longest wait for the whole call, in milliseconds, 1 to 2,147,483,647. Default: the client's. */
  readonly timeoutMs?: number | undefined
  /** Gives up the call. It then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of {@link WrapperClient.close}. */
export interface CloseOptions extends CallOptions {
  /** Whether the user is signed out at the service first. Default true. */
  readonly signOut?: boolean | undefined
  /**
   * Whether a new version is the reason. Then the user is told, and the wrapper waits for up to two minutes while the web app has an
   * unsaved form. The call is answered before. Default false.
   */
  readonly forUpdate?: boolean | undefined
}

/** Options of {@link WrapperClient.selectPerson}. */
export interface SelectOptions extends CallOptions {
  /** Whether the reply is to have a receipt: time, number, employee and ids, as the web app has shown them. Not in the classic mode. Default false. */
  readonly receipt?: boolean | undefined
}

/** Argument of {@link WrapperClient.clearPerson}. With both ids, `userId` decides; without any, it is whoever is in focus. */
export interface ClearedPerson {
  /** Id of the person in the partner's system. */
  readonly customId?: string | undefined
  /** Service user id. */
  readonly userId?: number | undefined
}

/** A person, by the id in the partner's system or in the service. With both, `userId` decides. */
export type WorkoutOwner =
  | { readonly customId: string; readonly userId?: number | undefined }
  | { readonly customId?: string | undefined; readonly userId: number }

/** Argument of {@link WrapperClient.getWorkoutsForClient}. */
export type WorkoutQuery = WorkoutOwner & {
  /** A date, `YYYY-MM-DD`; only workouts newer than it are returned. Default: all. */
  readonly from?: string | undefined
}

/** Argument of {@link WrapperClient.getListOfUsers}. */
export interface UserQuery {
  /** Only users with this id in the partner's system; it is not unique, so there may be several. Default: all. */
  readonly customId?: string | undefined
}

/** Argument of {@link WrapperClient.setCustomId}. */
export interface CustomIdChange {
  /** Service user id, as `getListOfUsers` returns it. */
  readonly userId: number
  /** Id of the person in the partner's system. */
  readonly customId: string
}

/** The person in focus, as other programs of the user see it: enough to recognize the person, and no more. */
export interface FocusedPerson
  extends Readonly<Pick<Person, 'userId' | 'customId' | 'firstname' | 'lastname'>> {}

/** Result of {@link WrapperClient.status}. */
export interface WrapperStatus {
  /** Whether the web app is loaded and takes commands. */
  readonly isLoaded: boolean
  /** Whether somebody is signed in to it. */
  readonly isSignedIn: boolean
  /** The person in focus, if there is one. */
  readonly person?: FocusedPerson | undefined
  /** Number of the last change of focus. It rises with each, until the wrapper exits. */
  readonly focusNumber?: number | undefined
}

/** An event of the wrapper, whatever its cause. */
export type WrapperEvent =
  /** A person has come into focus: the web app has drawn it. */
  | {
      readonly type: 'personselected'
      readonly person: FocusedPerson
      /** See {@link WrapperStatus.focusNumber}. */
      readonly focusNumber?: number | undefined
    }
  /** Nobody is in focus any more, and the user is still signed in. Without a reason when a page was loaded anew and shows nobody. */
  | {
      readonly type: 'personcleared'
      readonly reason?: EndReason | undefined
      /** See {@link WrapperStatus.focusNumber}. */
      readonly focusNumber?: number | undefined
    }
  /** Somebody has signed in to the web app. */
  | { readonly type: 'signedin' }
  /** Nobody is signed in any more, and nobody is in focus. */
  | { readonly type: 'signedout'; readonly reason?: EndReason | undefined }
  /** A program or a launch opened a workout. `openWorkout` takes the same id. */
  | { readonly type: 'workoutopened'; readonly id: number }
  /** The wrapper is exiting. It is the last event. */
  | { readonly type: 'closing' }

/** Name of an event. */
export type WrapperEventType = WrapperEvent['type']

/** The wrapper was lost, and there is a connection again. What happened in between is not told: begin anew with `status`. */
export interface WrapperReconnected {
  readonly type: 'reconnected'
  /** The wrapper of the new connection. Its `pid` is another one if the wrapper was started anew. */
  readonly wrapper: FoundWrapper
  /** The state now. */
  readonly status: WrapperStatus
}

/** What {@link WrapperClient.events} tells: the named events, and {@link WrapperReconnected} if it connects again. */
export type EventsItem<Type extends WrapperEventType, Reconnect extends boolean> =
  | Extract<WrapperEvent, { type: Type }>
  | (Reconnect extends false ? never : WrapperReconnected)

/** Options of {@link WrapperClient.events}. The names, and `reconnect`, decide the type of the events. */
export interface EventsOptions<
  Type extends WrapperEventType = WrapperEventType,
  Reconnect extends boolean = boolean,
> {
  /** Names of the events. Default: all. */
  readonly events?: readonly Type[] | undefined
  /** Ends the iteration; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Most events that may wait unread. Default 1,000. */
  readonly maxQueued?: number | undefined
  /**
   * Goes on after the end of the connection, also after `closing`, with the wrapper that runs next, and tells it as `reconnected`.
   * Waits for it with growing pauses of at most 5 seconds until the signal aborts, and starts none. Default false.
   */
  readonly reconnect?: Reconnect | undefined
}

/**
 * One running wrapper. Each method is one command (spec 4.5) and rejects with
 *
 * - {@link PipeRefusedError} if the wrapper did not carry it out
 * - {@link PipeNotFoundError} if the wrapper has exited, and there is no other to connect to
 * - {@link PipeTimeoutError}, {@link PipeClosedError}, {@link PipeDeniedError}, {@link PipeReplyError}
 * - `FrameError` if the arguments are longer than a wrapper accepts, 1 MiB
 * - `ParameterError` if an argument is of another kind or has a property that is not known; nothing was sent then
 * - the signal's reason if it aborts. In the session mode the wrapper then abandons a command that it has; whether the
 *   command had an effect is not known
 *
 * Calls may overlap. In the classic mode each has its own connection. In the session mode all use one, and the wrapper has a
 * bounded number of calls at a time, of at most 4 MiB together; the others wait here in order, except `status`, `version`,
 * `close`, `log` and the beginning of an iteration. No call is ever sent twice.
 *
 * When the connection has ended, the next call connects again (see `reconnect` of {@link ConnectWrapperOptions}) and can
 * reject with any error of `connectWrapper`. Connecting has the time-out of `connectWrapper`. A call that gives up earlier
 * leaves it running, and the next call joins it. A client keeps the process alive only during a call, an iteration of
 * events or connecting.
 */
export interface WrapperClient extends AsyncDisposable {
  /** The wrapper of the present connection. Another one after connecting again. */
  readonly wrapper: FoundWrapper
  /** The option `mode` of {@link ConnectWrapperOptions}. */
  readonly mode: 'session' | 'classic'
  /** Minimizes the window. */
  hide(options?: CallOptions): Promise<void>
  /** Restores the window and brings it to the front. */
  show(options?: CallOptions): Promise<void>
  /** Tells the wrapper's version, four numbers with dots between them. */
  version(options?: CallOptions): Promise<string>
  /**
   * Signs the user out and exits the wrapper. The wrapper answers at once; it may exit some seconds later. Pending calls fail:
   * await them first. To end only the connection, see {@link disconnect}.
   */
  close(options?: CloseOptions): Promise<void>
  /** Writes everything to the wrapper's log, as its setting `LogLevel` does with `debug`, until the wrapper's next start. */
  log(options?: CallOptions): Promise<void>
  /**
   * Returns the workouts of one person. An unknown date is null or missing; one of the year 1 is read as null.
   *
   * @throws {ArgsError} if both ids are missing, or `from` is not `YYYY-MM-DD`; nothing was sent then
   */
  getWorkoutsForClient(query: WorkoutQuery, options?: CallOptions): Promise<Workout[]>
  /** Opens a workout in the web app. An id of 0 or less opens nothing. */
  openWorkout(id: number, options?: CallOptions): Promise<void>
  /** Returns the users of the organization. An unknown date of birth is null or missing; one of the year 1 is read as null. */
  getListOfUsers(query?: UserQuery, options?: CallOptions): Promise<User[]>
  /** Sets the partner's id of a user. */
  setCustomId(change: CustomIdChange, options?: CallOptions): Promise<void>
  /**
   * Puts a person in focus, and creates the person if there is none. Needs `firstname`, `lastname` and one of `customId` and
   * `userId`; `userId: 0` always creates and needs `customId`. `dateOfBirth` is written `YYYY-MM-DD`. `middlename`, `ssn`,
   * `diagnosis` and `genderAsSent` do not travel on the pipe. The reply's `status` is `selected` or `created`; older wrappers use
   * other words and may leave the ids out. It comes when the web app has drawn the person, with the number of that focus. A later
   * call, launch or choice of the user makes one that is not drawn fail with `ERR_SUPERSEDED`.
   *
   * @throws {ArgsError} if a name or both ids are missing, a date is not `YYYY-MM-DD`, or an entry of `profileData` is not as
   *   the specification has it; nothing was sent then
   * @throws {ParameterError} also if `profileData` is not JSON
   */
  selectPerson(person: SelectablePerson, options?: SelectOptions): Promise<SelectPersonReply>
  /**
   * Takes the person out of focus; with an id, only if it is that person. Does nothing while nobody is in focus or signed in.
   * Earlier calls and launches for that person that the web app has not drawn fail with `ERR_SUPERSEDED`.
   *
   * @throws {PipeUnsupportedError} if the wrapper is older than 3.0.0.0, and does not know it
   */
  clearPerson(person?: ClearedPerson, options?: CallOptions): Promise<void>
  /**
   * Signs the user out, and removes all that the web app has kept. The wrapper stays, with the log-in page. Earlier calls and
   * launches fail.
   *
   * @throws {PipeUnsupportedError} if the wrapper is older than 3.0.0.0, and does not know it
   */
  signOut(options?: CallOptions): Promise<void>
  /**
   * Searches exercises in the web app (spec 4.3).
   *
   * @throws {PipeUnsupportedError} in the classic mode
   */
  queryExercises(text: string, options?: CallOptions): Promise<void>
  /**
   * Searches workouts in the web app (spec 4.3).
   *
   * @throws {PipeUnsupportedError} in the classic mode
   */
  queryWorkouts(text: string, options?: CallOptions): Promise<void>
  /**
   * Tells whether the web app is loaded, whether somebody is signed in, and who is in focus.
   *
   * @throws {PipeUnsupportedError} in the classic mode
   */
  status(options?: CallOptions): Promise<WrapperStatus>
  /**
   * Tells the events of the wrapper from the beginning of the iteration, also those that later calls of this client cause.
   * Several iterations may run, each with its own events. Leave the loop, or abort the signal, to end one.
   *
   * An iteration ends by itself after `closing` and after {@link disconnect}. It still tells earlier events before its end,
   * unless the signal aborted. With `reconnect` only {@link disconnect} ends it. It throws
   *
   * - {@link PipeClosedError} if the connection breaks: events may be missed. With `reconnect` it goes on instead
   * - with `reconnect`, {@link PipeNotFoundError} if the process of the client's `pid` has ended
   * - {@link PipeOverflowError} if more than `maxQueued` events wait unread
   * - {@link PipeUnsupportedError} in the classic mode, or if the wrapper does not know one of `events`
   * - the signal's reason if it aborts
   * - the error of connecting again or of the subscription, at its beginning
   *
   * @throws {ParameterError} at once, if an option is of another kind, or the client was connected with `reconnect: false` and this
   *   is to connect again
   * @example
   * ```ts
   * import { connectWrapper } from '@service-link/pipe-client'
   *
   * const wrapper = await connectWrapper()
   * for await (const event of wrapper.events({ events: ['personselected'], reconnect: true })) {
   *   const { person } = event.type === 'reconnected' ? event.status : event
   *   console.log(person?.customId ?? 'Nobody is in focus.')
   * }
   * await wrapper.disconnect()
   * ```
   */
  events<Type extends WrapperEventType = WrapperEventType, Reconnect extends boolean = false>(
    options?: EventsOptions<Type, Reconnect>,
  ): AsyncIterable<EventsItem<Type, Reconnect>>
  /**
   * Ends the connection; the wrapper runs on. Pending and later calls, and later iterations, reject with
   * {@link PipeClosedError}. Running iterations end. Ends connecting again and a wrapper that is being started for it, and waits
   * for that. Never rejects. `await using` does the same.
   */
  disconnect(): Promise<void>
}
