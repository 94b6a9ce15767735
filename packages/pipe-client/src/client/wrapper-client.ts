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

/**
 * One running wrapper. Each method is one command (specification 4.5) and rejects with
 *
 * - {@link PipeRefusedError} when the wrapper answers that it did not carry it out
 * - {@link PipeNotFoundError} when the wrapper has exited
 * - {@link PipeTimeoutError}, {@link PipeClosedError}, {@link PipeDeniedError}, {@link PipeReplyError}
 * - `FrameError` when the arguments are longer than a wrapper accepts, 1 MiB
 * - `RangeError` when the time-out is negative or not a number
 * - the signal's reason when it is aborted
 */
export interface WrapperClient {
  /** The wrapper that this client commands. */
  readonly wrapper: FoundWrapper
  /** Minimises the window. */
  hide(options?: CallOptions): Promise<void>
  /** Restores the window and brings it to the front. */
  show(options?: CallOptions): Promise<void>
  /** Tells the wrapper's version, four numbers with dots between them. */
  version(options?: CallOptions): Promise<string>
  /** Exits the wrapper. It answers before it exits. */
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
   */
  selectPerson(person: Person, options?: CallOptions): Promise<SelectPersonReply>
}
