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
  /** A member that holds a date: one that .NET writes for no date is read as null. */
  readonly date?: string
}

interface ListShape extends JsonShape {
  write(list: unknown): unknown[]
}

function listHaving({ inner, check, toClassic, fromClassic, date }: EntryShape): ListShape {
  const known = Object.keys(toClassic({})).map(name => name.replace(/^./, first => first.toLowerCase()))
  const toClassicWith = (members: readonly string[]) => {
    const others = members.filter(name => !known.includes(name))
    return keeping(others, toClassic)
  }
  return {
    names: wireNames(known, inner, fromClassic),
    check: listOf(entry => isObject(entry) && check(entry)),
    write: list => changeEntries(Array.isArray(list) ? list : [], toClassicWith),
    ...(date === undefined ? {} : { read: list => withoutVainDates(list as Members[], date) }),
  }
}

/** Lists of a list. */
function listsOf({ names, check, write }: ListShape): ListShape {
  return {
    names: { ...names, inLists: true },
    check: listOf(check),
    write: lists => (Array.isArray(lists) ? lists.map(write) : []),
  }
}

/** The least date of .NET, which a typed program needs in place of null, and on which programs call methods. */
const noDate = '0001-01-01T00:00:00'

/** A date of the years 0 to 9: year first or last, with words, or in milliseconds as older serializers of .NET write it; or nothing. */
const vainDate = /^\s*(000\d|\d{1,2}\D\d{1,2}\D000\d|\/Date\(-621\d{11}|$)|[a-z]\.?( \d{1,2})?,? 000\d(\s|$)/i

const isVain = (date: unknown) => typeof date === 'string' && vainDate.test(date)

function withoutVainDates(list: readonly Members[], date: string): Members[] {
  return list.map(entry => (isVain(entry[date]) ? { ...entry, [date]: null } : entry))
}

/** A number in place of a text becomes its text. */
const text = (value: unknown) => (typeof value === 'number' ? String(value) : (value ?? null))

const dateText = (value: unknown) => (isVain(value ?? '') ? noDate : value)

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
  date: 'dateOfBirth',
  toClassic: user => ({
    Id: user.id,
    CustomId: text(user.customId),
    Firstname: text(user.firstname),
    Lastname: text(user.lastname),
    Email: text(user.email),
    DateOfBirth: dateText(user.dateOfBirth),
  }),
})

const exerciseData = listsOf(
  listHaving({
    check: ({ key, value, unit }) =>
      maybeText(key) && (maybeText(value) || Number.isFinite(value)) && maybeText(unit),
    toClassic: data => ({ Key: text(data.key), Value: text(data.value), Unit: text(data.unit) }),
  }),
)

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
    LastChangedAt: dateText(workout.lastChangedAt),
    Owner: workout.owner ?? 0,
    Executor: workout.executor ?? 0,
    OwnerName: text(workout.ownerName),
    ExecutorName: text(workout.executorName),
    ExerciseCount: workout.exerciseCount ?? (Array.isArray(workout.exercises) ? workout.exercises.length : 0),
    Exercises: exercises.write(workout.exercises),
  }),
  date: 'lastChangedAt',
})
