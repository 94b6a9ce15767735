import {
  assertParameter,
  memberNamesOf,
  ParameterError,
  type Person,
  readBy,
  type User,
  userSchema,
  type Workout,
  workoutSchema,
} from '@service-link/protocol-core'
import { findNearName } from '@service-link/protocol-core/errors'
import { fieldSynonyms } from '@service-link/protocol-core/person'
import * as z from 'zod/mini'
import { type AllHandlers, type HandlerName, HostCallError } from '../web-app/page/messages.ts'

/** A workout of one person. */
export type MemoryWorkout = Workout & {
  /** The `id` of the person in `users`. */
  readonly userId: number
}

/** Options of {@link createMemoryWebApp}. */
export interface MemoryWebAppOptions {
  /** Persons of the caller's organization. Default: none. */
  readonly users?: readonly User[] | undefined
  /** Their workouts. Default: none. */
  readonly workouts?: readonly MemoryWorkout[] | undefined
}

/** Persons and workouts as {@link MemoryWebAppOptions} has them. */
export const memoryDataSchema = z.strictObject({
  users: z.optional(z.array(withoutSlips(userSchema, memberNamesOf(userSchema)))),
  workouts: z.optional(
    z.array(
      withoutSlips(z.intersection(workoutSchema, z.looseObject({ userId: z.int() })), [
        ...memberNamesOf(workoutSchema),
        'userId',
      ]),
    ),
  ),
})

/** Refuses a member that is nearly a known one: it would do nothing. Others are kept, as a web app may have more. */
function withoutSlips<Schema extends z.ZodMiniType<object>>(
  schema: Schema,
  known: readonly string[],
): Schema {
  const refuseSlips: z.core.CheckFn<object> = ({ value, issues }) => {
    for (const member of Object.keys(value)) {
      const near = findNearName(member, known, fieldSynonyms())
      if (near === member || near === undefined || !known.includes(near)) continue
      issues.push({
        code: 'custom',
        input: value,
        path: [member],
        message: `is not known; write ${near}`,
      })
    }
  }
  return schema.check(refuseSlips as z.core.CheckFn<z.output<Schema>>)
}

/** Completes a person whom the web app knows, as a page reports its choice. Spread into a test's own handlers, it stays. */
export const completePerson = Symbol('completePerson')

/** Handlers that answer at once, and so need no signal. */
export type MemoryWebApp = { readonly [completePerson]: (person: Person) => Person } & {
  readonly [Name in Exclude<HandlerName, 'signOut' | 'restoreUnsaved' | 'hasUnsavedWork'>]: (
    args: Parameters<AllHandlers[Name]>[0],
  ) => ReturnType<AllHandlers[Name]>
}

/**
 * A web app that keeps persons and workouts in memory. It selects a person by `userId` or `customId`, or creates one; lists persons
 * and workouts; and sets a `customId`. An unknown person or workout is refused with `ERR_NOT_FOUND`; a `customId` of several persons,
 * or of one with another name or date of birth, with `ERR_ARGS`.
 *
 * @throws {ParameterError} when an option is of another type or not known, or a member of a person or workout is misspelled
 * @returns a handler for every command; a test may replace some
 * @example
 * ```ts
 * import { createMemoryWebApp, startTestWrapper } from '@service-link/wrapper-host/testing'
 *
 * const app = createMemoryWebApp({ users: [{ id: 17, customId: '4711', firstname: 'Kari' }] })
 * await using wrapper = await startTestWrapper({ webApp: { ...app, openWorkout: () => Promise.reject(new Error('broken')) } })
 * ```
 */
export function createMemoryWebApp(options: MemoryWebAppOptions = {}): MemoryWebApp {
  assertParameter('options', options, 'closed', { users: 'list?', workouts: 'list?' })
  const { value: data = {}, issues: [issue] = [] } = readBy(memoryDataSchema, options)
  if (issue) throw new ParameterError(`options.${issue.path}`, issue.problem, `${issue.problem}.`)
  const users = new Map(data.users?.map(user => [user.id, user]))
  const workouts = data.workouts ?? []

  const withCustomId = (customId: string) => [...users.values()].filter(user => user.customId === customId)
  const userWithId = (id: number | undefined) => {
    const user = id === undefined ? undefined : users.get(id)
    if (!user) throw new HostCallError('ERR_NOT_FOUND', 'There is no such person in this organization.')
    return user
  }
  const userOf = (person: Person) => {
    const { userId, customId } = person
    if (userId) return userWithId(userId)
    if (customId === undefined) return undefined
    const [user, ...others] = withCustomId(customId)
    if (others.length > 0) throw refusal('several persons')
    if (user && isContradicted(user, person)) throw refusal('a person of another name or date of birth')
    return user
  }

  return {
    selectPerson(person) {
      const known = userOf(person)
      const user = known ?? { id: Math.max(0, ...users.keys()) + 1 }
      for (const field of userFields) if (person[field] !== undefined) user[field] ??= person[field]
      users.set(user.id, user)
      return { status: known ? 'selected' : 'created', userId: user.id, customId: user.customId ?? '' }
    },
    getListOfUsers: ({ customId }) => (customId === undefined ? [...users.values()] : withCustomId(customId)),
    clearPerson: () => undefined,
    setCustomId({ userId, customId }) {
      userWithId(userId).customId = customId
    },
    getWorkoutsForClient({ customId, userId, from }) {
      const owner = userId === undefined ? userOf({ customId })?.id : userId
      const { id } = userWithId(owner)
      return workouts
        .filter(workout => workout.userId === id)
        .filter(({ lastChangedAt }) => from === undefined || (lastChangedAt ?? '').slice(0, 10) > from)
        .map(({ userId: _owner, ...workout }) => workout)
    },
    openWorkout({ id }) {
      if (!workouts.some(workout => workout.id === id))
        throw new HostCallError('ERR_NOT_FOUND', 'There is no such workout for this organization.')
    },
    [completePerson](person) {
      const named = person.customId === undefined ? [] : withCustomId(person.customId)
      const user = person.userId ? users.get(person.userId) : named.length === 1 ? named[0] : undefined
      if (!user) return person
      const known = userFields.flatMap(field => (user[field] === undefined ? [] : [[field, user[field]]]))
      return { ...Object.fromEntries(known), ...person, userId: user.id }
    },
    queryExercises: () => undefined,
    queryWorkouts: () => undefined,
    launchParameters: () => undefined,
  }
}

const refusal = (whose: string) =>
  new HostCallError('ERR_ARGS', `The CustomId belongs to ${whose}. Send userid to say which.`, [
    { path: 'customId', problem: `belongs to ${whose}` },
  ])

/** Whether a person differs from the one that is kept, in what both have. */
function isContradicted(user: User, person: Person): boolean {
  return (['firstname', 'lastname', 'dateOfBirth'] as const).some(field => {
    const [kept, given] = [user[field], person[field]].map(text => text?.normalize().toLowerCase())
    return kept !== undefined && given !== undefined && kept !== given
  })
}

const userFields = ['customId', 'firstname', 'lastname', 'email', 'dateOfBirth'] as const
