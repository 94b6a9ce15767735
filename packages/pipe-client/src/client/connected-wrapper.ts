import type { SelectablePerson, SelectPersonReply, User, Workout } from '@service-link/protocol-core'
import {
  argsFromPerson,
  findIdProblem,
  readIsoDate,
  type SessionCallName,
  type SessionResult,
  sessionEventNames,
  trimText,
} from '@service-link/protocol-core'
import {
  ArgsError,
  type ArgsIssue,
  assertParameter,
  isObject,
  ParameterError,
} from '@service-link/protocol-core/errors'
import { Deadline } from '@service-link/protocol-core/time'
import type { CallArgs, EventChoice, FoundWrapper } from '../connection/channel.ts'
import { assertOptions, limits } from '../errors/assert-options.ts'
import { PipeTimeoutError } from '../errors/pipe-error.ts'
import type { Reconnection } from './reconnection.ts'
import type {
  CallOptions,
  ClearedPerson,
  CloseOptions,
  CustomIdChange,
  EventsItem,
  EventsOptions,
  SelectOptions,
  UserQuery,
  WorkoutQuery,
  WrapperClient,
  WrapperEvent,
  WrapperEventType,
  WrapperReconnected,
  WrapperStatus,
} from './wrapper-client.ts'
import { iterateEvents, readStatus } from './wrapper-events.ts'

/** Default of the option `maxQueued`. */
const defaultMaxQueued = 1_000

/** The client that `connectWrapper` returns, for both modes of the pipe. */
export class ConnectedWrapper implements WrapperClient {
  readonly #connection: Reconnection
  readonly #timeoutMs: number
  readonly #source: string | undefined

  /**
   * @param timeoutMs for calls without a time-out, in milliseconds
   * @param source of persons without one
   */
  constructor(connection: Reconnection, timeoutMs: number, source?: string) {
    this.#connection = connection
    this.#timeoutMs = timeoutMs
    this.#source = source
  }

  get wrapper(): FoundWrapper {
    return this.#connection.current.wrapper
  }

  get mode(): 'session' | 'classic' {
    return this.#connection.current.mode
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

  async close(options: CloseOptions = {}): Promise<void> {
    assertOptions(options, { ...limits, signOut: 'boolean?', forUpdate: 'boolean?' })
    const { signOut = true, forUpdate = false, ...bounds } = options
    const args = { ...(signOut ? {} : { signout: false }), ...(forUpdate ? { forupdate: true } : {}) }
    return this.#request('close', signOut && !forUpdate ? undefined : args, bounds)
  }

  log(options?: CallOptions): Promise<void> {
    return this.#request('log', undefined, options)
  }

  async getWorkoutsForClient(query: WorkoutQuery, options?: CallOptions): Promise<Workout[]> {
    assertParameter('query', query, 'closed', { customId: 'text?', userId: 'number?', from: 'text?' })
    const { customId, userId, from } = query
    const issues: ArgsIssue[] = []
    const isGiven = customId !== undefined && trimText(customId) !== ''
    if (isGiven) assertId(customId, 'Query')
    else if (userId === undefined)
      issues.push({ path: 'customId', problem: 'is missing (customId or userId is needed)' })
    const { problem } = from === undefined ? {} : readIsoDate(from)
    if (problem) issues.push({ path: 'from', problem })
    if (issues.length > 0) throw new ArgsError(issues, 'Query')
    return this.#request('getworkoutsforclient', { customid: customId, userid: userId, from }, options)
  }

  async openWorkout(id: number, options?: CallOptions): Promise<void> {
    if (isObject(id) && !Object(id).then)
      throw new ParameterError('id', 'a number', 'must be a number: give the id of the workout.')
    assertParameter('id', id, 'number')
    return this.#request('openworkout', { id }, options)
  }

  async getListOfUsers(query: UserQuery = {}, options?: CallOptions): Promise<User[]> {
    assertParameter('query', query, 'closed', { customId: 'text?' })
    const { customId } = query
    if (customId !== undefined) assertId(customId, 'Query', 'leave it out for all users')
    return this.#request('getlistofusers', { customid: customId }, options)
  }

  async setCustomId(change: CustomIdChange, options?: CallOptions): Promise<void> {
    assertParameter('change', change, 'closed', { userId: 'number', customId: 'text' })
    const { userId, customId } = change
    assertId(customId, 'Change')
    return this.#request('setcustomid', { userid: userId, customid: customId }, options)
  }

  async selectPerson(person: SelectablePerson, options?: SelectOptions): Promise<SelectPersonReply> {
    if (options !== undefined) assertOptions(options, { ...limits, receipt: 'boolean?' })
    const { receipt, ...bounds } = options ?? {}
    const args = argsFromPerson(person)
    const asked = receipt ? { receipt } : {}
    return this.#request('selectperson', { source: this.#source, ...args, ...asked }, options && bounds)
  }

  async clearPerson(person: ClearedPerson = {}, options?: CallOptions): Promise<void> {
    assertParameter('person', person, 'closed', { customId: 'text?', userId: 'number?' })
    const { customId, userId } = person
    if (customId !== undefined) assertId(customId, 'Person', 'leave it out for whoever is in focus')
    return this.#request('clearperson', { customid: customId, userid: userId }, options)
  }

  signOut(options?: CallOptions): Promise<void> {
    return this.#request('signout', undefined, options)
  }

  async queryExercises(text: string, options?: CallOptions): Promise<void> {
    assertParameter('text', text, 'text')
    return this.#request('queryexercises', { text }, options)
  }

  async queryWorkouts(text: string, options?: CallOptions): Promise<void> {
    assertParameter('text', text, 'text')
    return this.#request('queryworkouts', { text }, options)
  }

  async status(options?: CallOptions): Promise<WrapperStatus> {
    return readStatus(await this.#request('status', undefined, options))
  }

  events<Type extends WrapperEventType, Reconnect extends boolean>(
    options: EventsOptions<Type, Reconnect> = {},
  ): AsyncIterable<EventsItem<Type, Reconnect>> {
    assertOptions(options, {
      events: 'list?',
      signal: 'signal?',
      maxQueued: { what: 'a whole number of events', isWhole: true },
      reconnect: 'boolean?',
    })
    const { events, signal, maxQueued = defaultMaxQueued, reconnect = false } = options
    if (reconnect && !this.#connection.canReconnect)
      throw new ParameterError(
        'options.reconnect',
        'false for a client that was connected with reconnect: false',
      )
    if (events?.length === 0)
      throw new ParameterError('options.events', 'a list of events', 'is empty: leave it out for all events.')
    for (const name of events ?? []) assertParameter('options.events', name, sessionEventNames)
    const choice: EventChoice = { events, maxQueued, signal }
    const timeoutMs = this.#timeoutMs
    const begin = (): AsyncIterator<WrapperEvent | WrapperReconnected, undefined> => {
      const connection = this.#connection
      const first = { channel: connection.current, events: iterateEvents(connection, choice, timeoutMs) }
      if (!reconnect) return first.events
      const loading = import('./reconnecting-events.ts').then(({ reconnectingEvents }) =>
        reconnectingEvents(first, connection, choice, timeoutMs),
      )
      return { next: async () => (await loading).next(), return: async () => (await loading).return() }
    }
    return { [Symbol.asyncIterator]: begin } as AsyncIterable<EventsItem<Type, Reconnect>>
  }

  disconnect(): Promise<void> {
    return this.#connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection.close()
  }

  /** Not `async`: nearly all calls are made at once, and the channel's promise is enough for them. */
  #request<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    options: CallOptions | undefined,
  ): Promise<SessionResult<Name>> {
    try {
      if (options !== undefined) assertOptions(options, limits)
      const deadline = new Deadline(options?.timeoutMs ?? this.#timeoutMs, options?.signal)
      if (!this.#connection.isReady) return this.#requestAgain(name, args, deadline)
      return this.#connection.current.request(name, args, deadline)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Connects again. The call itself is made once, whatever its outcome. */
  async #requestAgain<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    deadline: Deadline,
  ): Promise<SessionResult<Name>> {
    const limit = deadline.limit(() => new PipeTimeoutError(deadline.timeoutMs, false))
    try {
      const channel = await this.#connection.open(limit.signal)
      return await channel.request(name, args, deadline)
    } finally {
      limit[Symbol.dispose]()
    }
  }
}

/** @param hint what to write in place of an empty one */
function assertId(customId: string, subject: string, hint?: string): void {
  const problem = findIdProblem(customId)
  if (problem === undefined) return
  const isHinted = hint !== undefined && problem === 'is empty'
  throw new ArgsError([{ path: 'customId', problem: isHinted ? `${problem}: ${hint}` : problem }], subject)
}
