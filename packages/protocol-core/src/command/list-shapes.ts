// The lists of the pipe, in both spellings. Their functions name each member: an engine makes such an object in one step, and a list
// may have many thousands. Clients load it without the schemas.

import {
  changeEntries,
  fromWire,
  isObject,
  keeping,
  type Members,
  type WireNames,
  wireNames,
} from '../text/wire-names.ts'
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
  /** The known members, as programs spell them. */
  readonly names: readonly string[]
  /** Those that hold a list. */
  readonly inner?: Readonly<Record<string, ListShape>>
  /** Whether an entry that is spelled as programs do has the shape that is needed. */
  check(entry: Members): boolean
  /** Names the members of an entry that has all those of the classic mode. */
  fromClassic(entry: Members): Members
  /** Makes the members of the classic mode. Its typed readers fail on a missing one, and on a null that is no text. */
  toClassic(entry: Members): Members
}

interface ListShape extends JsonShape {
  write(list: unknown): unknown
}

function listHaving({ names: known, inner = {}, check, fromClassic, toClassic }: EntryShape): ListShape {
  const innerNames = Object.entries(inner).map(([name, { names }]): [string, WireNames] => [name, names])
  return {
    names: wireNames(known, Object.fromEntries(innerNames), fromClassic),
    check: listOf(entry => isObject(entry) && check(entry)),
    write: list =>
      changeEntries(Array.isArray(list) ? list : [], members =>
        keeping(
          members.filter(name => !known.includes(name)),
          toClassic,
        ),
      ),
  }
}

/** A number in place of a text becomes its text. */
const text = (value: unknown) => (typeof value === 'number' ? String(value) : (value ?? null))

export const users: JsonShape = listHaving({
  names: ['id', 'customId', 'firstname', 'lastname', 'email', 'dateOfBirth'],
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
  names: ['key', 'value', 'unit'],
  check: ({ key, value, unit }) =>
    maybeText(key) && (maybeText(value) || Number.isFinite(value)) && maybeText(unit),
  fromClassic: data => ({ key: data.Key, value: data.Value, unit: data.Unit }),
  toClassic: data => ({ Key: text(data.key), Value: text(data.value), Unit: text(data.unit) }),
})

const isExerciseData = maybe(exerciseData.check)

const exercises = listHaving({
  names: ['id', 'name', 'data'],
  inner: { data: exerciseData },
  check: ({ id, name, data }) => maybeInteger(id) && maybeText(name) && isExerciseData(data),
  fromClassic: exercise => ({
    id: exercise.Id,
    name: exercise.Name,
    data: fromWire(exercise.Data, exerciseData.names),
  }),
  toClassic: exercise => ({
    Id: exercise.id ?? 0,
    Name: text(exercise.name),
    Data: exerciseData.write(exercise.data),
  }),
})

const areExercises = maybe(exercises.check)
const isCount = maybe(atLeast(0))

export const workouts: JsonShape = listHaving({
  names: [
    'id',
    'name',
    'description',
    'lastChangedAt',
    'owner',
    'executor',
    'ownerName',
    'executorName',
    'exerciseCount',
    'exercises',
  ],
  inner: { exercises },
  check: workout =>
    isInteger(workout.id) &&
    maybeText(workout.name) &&
    maybeText(workout.description) &&
    maybeText(workout.lastChangedAt) &&
    maybeInteger(workout.owner) &&
    maybeInteger(workout.executor) &&
    maybeText(workout.ownerName) &&
    maybeText(workout.executorName) &&
    isCount(workout.exerciseCount) &&
    areExercises(workout.exercises),
  fromClassic: workout => ({
    id: workout.Id,
    name: workout.Name,
    description: workout.Description,
    lastChangedAt: workout.LastChangedAt,
    owner: workout.Owner,
    executor: workout.Executor,
    ownerName: workout.OwnerName,
    executorName: workout.ExecutorName,
    exerciseCount: workout.ExerciseCount,
    exercises: fromWire(workout.Exercises, exercises.names),
  }),
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
