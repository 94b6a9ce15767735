import {
  argsFromPerson,
  type ClassicCommandName,
  type CommandResult,
  type Person,
  type SelectPersonReply,
  type User,
  type Workout,
} from '@service-link/protocol-core'
import type {
  CallOptions,
  CustomIdChange,
  UserQuery,
  WorkoutQuery,
  WrapperClient,
  WrapperEvent,
  WrapperStatus,
} from '../client/wrapper-client.ts'
import { PipeUnsupportedError } from '../errors/pipe-error.ts'
import type { FoundWrapper } from '../find/find-wrappers.ts'
import { requestClassic } from './request-classic.ts'

/** Commands a wrapper in the pipe's classic mode. Holds no connection between calls; calls may overlap. */
export class ClassicClient implements WrapperClient {
  readonly wrapper: FoundWrapper
  readonly mode = 'classic'
  readonly #timeoutMs: number

  /** @param timeoutMs for calls that give none, in milliseconds */
  constructor(wrapper: FoundWrapper, timeoutMs: number) {
    this.wrapper = wrapper
    this.#timeoutMs = timeoutMs
  }

  hide(options?: CallOptions): Promise<void> {
    return this.#request('hide', undefined, options)
  }

  show(options?: CallOptions): Promise<void> {
    return this.#request('show', undefined, options)
  }

  version(options?: CallOptions): Promise<string> {
    return this.#request('version', undefined, options)
  }

  close(options?: CallOptions): Promise<void> {
    return this.#request('close', undefined, options)
  }

  getWorkoutsForClient(query: WorkoutQuery, options?: CallOptions): Promise<Workout[]> {
    const { customId, userId, from } = query
    return this.#request('getworkoutsforclient', { customid: customId, userid: userId, from }, options)
  }

  openWorkout(id: number, options?: CallOptions): Promise<void> {
    return this.#request('openworkout', { id }, options)
  }

  getListOfUsers(query: UserQuery = {}, options?: CallOptions): Promise<User[]> {
    return this.#request('getlistofusers', { customid: query.customId }, options)
  }

  setCustomId({ userId, customId }: CustomIdChange, options?: CallOptions): Promise<void> {
    return this.#request('setcustomid', { userid: userId, customid: customId }, options)
  }

  selectPerson(person: Person, options?: CallOptions): Promise<SelectPersonReply> {
    return this.#request('selectperson', argsFromPerson(person), options)
  }

  async queryExercises(): Promise<void> {
    throw new PipeUnsupportedError('queryExercises')
  }

  async queryWorkouts(): Promise<void> {
    throw new PipeUnsupportedError('queryWorkouts')
  }

  async status(): Promise<WrapperStatus> {
    throw new PipeUnsupportedError('status')
  }

  events(): AsyncIterable<WrapperEvent> {
    const next = async () => {
      throw new PipeUnsupportedError('events')
    }
    return { [Symbol.asyncIterator]: () => ({ next }) }
  }

  async disconnect(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  #request<Name extends ClassicCommandName>(
    name: Name,
    args: Readonly<Record<string, unknown>> | undefined,
    options: CallOptions | undefined,
  ): Promise<CommandResult<Name>> {
    return requestClassic(this.wrapper, name, args, {
      timeoutMs: options?.timeoutMs ?? this.#timeoutMs,
      signal: options?.signal,
    })
  }
}
