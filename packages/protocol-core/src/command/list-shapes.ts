// The lists of the pipe, in both spellings. Their functions name each member: an engine makes such an object in one step, and a list
// may have many thousands. Clients load it without the schemas.

import { changeEntries, isObject, keeping, type Members, wireNames } from '../text/wire-names.ts'
import {
  atLeast,
  isInteger,
  type JsonShape,
  listOf,
  maybe,
  maybeInteger,
  maybeKeptText,
  maybeText,
} from './json-shape.ts'

interface EntryShape {
  /** The members that hold a list. */
  readonly inner?: Readonly<Record<string, ListShape>>
  /** Whether an entry that is spelled as programs do has the shape that is needed. */
  check(entry: Members): boolean
  /** Makes the members of the classic mode. Its typed readers fail on a missing one, and on a null that is no text. */
  toClassic(entry: Members): Members
  /** Names the members of an entry that has all those of the classic mode. Default: by the index, which is enough for short lists. */
  fromClassic?(entry: Members): Members
}

interface ListShape extends JsonShape {
  write(list: unknown): unknown
}

function listHaving({ inner, check, toClassic, fromClassic }: EntryShape): ListShape {
  const known = Object.keys(toClassic({})).map(name => name.replace(/^./, first => first.toLowerCase()))
  const toClassicWith = (members: readonly string[]) => {
    const others = members.filter(name => !known.includes(name))
    return keeping(others, toClassic)
  }
  return {
    names: wireNames(known, inner, fromClassic),
    check: listOf(entry => isObject(entry) && check(entry)),
    write: list => changeEntries(Array.isArray(list) ? list : [], toClassicWith),
  }
}

/** A number in place of a text becomes its text. */
const text = (value: unknown) => (typeof value === 'number' ? String(value) : (value ?? null))

export const users: JsonShape = listHaving({
  check: ({ id, customId, firstname, lastname, email, dateOfBirth }) =>
    isInteger(id) &&
    maybeKeptText(customId) &&
    maybeText(firstname) &&
    maybeText(lastname) &&
    maybeText(email) &&
    maybeText(dateOfBirth),
  fromClassic: user => ({
    id: user.Id,
    customId: user.CustomId,
    firstname: user.Firstname,
    lastname: user.Lastname,
    email: user.Email,
    dateOfBirth: user.DateOfBirth,
  }),
  toClassic: user => ({
    Id: user.id,
    CustomId: text(user.customId),
    Firstname: text(user.firstname),
    Lastname: text(user.lastname),
    Email: text(user.email),
    DateOfBirth: text(user.dateOfBirth),
  }),
})

const exerciseData = listHaving({
  check: ({ key, value, unit }) =>
    maybeText(key) && (maybeText(value) || Number.isFinite(value)) && maybeText(unit),
  toClassic: data => ({ Key: text(data.key), Value: text(data.value), Unit: text(data.unit) }),
})

const isExerciseData = maybe(exerciseData.check)

const exercises = listHaving({
  inner: { data: exerciseData },
  check: ({ id, name, data }) => maybeInteger(id) && maybeText(name) && isExerciseData(data),
  toClassic: exercise => ({
    Id: exercise.id ?? 0,
    Name: text(exercise.name),
    Data: exerciseData.write(exercise.data),
  }),
})

const areExercises = maybe(exercises.check)
const isCount = maybe(atLeast(0))

export const workouts: JsonShape = listHaving({
  inner: { exercises },
  check: workout =>
    isInteger(workout.id) &&
    [workout.name, workout.description, workout.lastChangedAt, workout.ownerName, workout.executorName].every(
      maybeText,
    ) &&
    [workout.owner, workout.executor].every(maybeInteger) &&
    isCount(workout.exerciseCount) &&
    areExercises(workout.exercises),
  toClassic: workout => ({
    Id: workout.id,
    Name: text(workout.name),
    Description: text(workout.description),
    // The least date of .NET, which its typed programs read.
    LastChangedAt: workout.lastChangedAt ?? '0001-01-01T00:00:00',
    Owner: workout.owner ?? 0,
    Executor: workout.executor ?? 0,
    OwnerName: text(workout.ownerName),
    ExecutorName: text(workout.executorName),
    ExerciseCount: workout.exerciseCount ?? (Array.isArray(workout.exercises) ? workout.exercises.length : 0),
    Exercises: exercises.write(workout.exercises),
  }),
})
