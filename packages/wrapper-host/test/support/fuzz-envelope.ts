import type { FuzzRandom } from './fuzz-random.ts'

/** Secret text in arguments. No answer and no log may hold it. */
export const planted = 'qzPlantedqz'

/** Text of a request of either mode, changed or not. */
export function fuzzEnvelope(random: FuzzRandom, isSession: boolean): string {
  const members: [string, unknown][] = [
    [random.pick(['Method', 'Method', 'method', 'METHOD']), random.pick(methods)],
    [random.pick(['Args', 'Args', 'args']), fuzzArgs(random)],
  ]
  if (isSession) members.push(['Id', random.chance(0.8) ? random.integer(40) : random.pick(ids)])
  if (random.chance(0.1)) members.push([random.pick(names), fuzzValue(random)])
  if (random.chance(0.1)) members.splice(random.integer(members.length), 1)
  if (random.chance(0.1)) members.push([random.pick(members)?.[0] ?? 'Id', fuzzValue(random)])
  return writeMembers(random.shuffle(members))
}

/** All commands but close, which would exit the wrapper. */
const methods: readonly unknown[] = [
  ...['version', 'hide', 'show', 'openworkout', 'setcustomid', 'selectperson', 'selectperson'],
  ...['getlistofusers', 'getworkoutsforclient', 'queryexercises', 'queryworkouts', ' VERSION '],
  ...['hello', 'status', 'subscribe', 'subscribe', 'cancel', 'cancel', 'Cancel'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', planted, '', 'x'.repeat(5000)],
  ...[null, 7, {}, [], true],
]

/** Ids of all kinds, most of them wrong. */
const ids: readonly unknown[] = [
  ...[0, -1, 1.5, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 'a', 'x'.repeat(64), 'x'.repeat(65), ''],
  ...['__proto__', 'constructor', '\ud800', '\0', '😀', null, true, {}, [], [1]],
]

const names = [
  ...['id', 'customid', 'userid', 'firstname', 'lastname', 'phonehome', 'email', 'dateofbirth', 'gender'],
  ...['profiledata', 'from', 'text', 'events', '__proto__', 'constructor', 'prototype', 'toString', 'then'],
  ...['ID', 'CustomId', 'toJSON', '', '\0', 'x'.repeat(300)],
]

function fuzzArgs(random: FuzzRandom): unknown {
  if (random.chance(0.1)) return fuzzValue(random)
  const valid = {
    ...(random.chance(0.7) ? { id: random.integer(40), userid: random.integer(3) } : {}),
    ...(random.chance(0.5) ? person : {}),
    ...(random.chance(0.5) ? { text: planted, customid: 'c' } : {}),
    ...(random.chance(0.5) ? { events: ['signedin', 'personselected', 'nothing', 'Closing'] } : {}),
  }
  const members: [string, unknown][] = Object.entries(valid)
  for (let count = random.integer(4); count > 0; count--)
    members.push([random.pick(names) ?? '', fuzzValue(random)])
  return new RawJson(writeMembers(members))
}

const person = {
  customid: 'c',
  firstname: 'A',
  lastname: 'B',
  email: `${planted}@example.org`,
  phonehome: planted,
  dateofbirth: '03.04.1980',
  profiledata: [{ key: planted, value: planted, customkey: planted }],
}

function fuzzValue(random: FuzzRandom): unknown {
  return random.pick<() => unknown>([
    () => planted,
    () => random.pick(['', ' ', 'true', '0', '17', '2016-06-01 10:00', '31.02.2020', '\ud800', '\u202e']),
    () => random.pick([0, -1, 1e21, 1.5, 2 ** 31, null, true, false]),
    () => new RawJson(random.pick(['1e999', '-0', '9'.repeat(400), '0.1e-400', '123456789012345678901'])),
    () => nested(random.integer(300), '[', '1', ']'),
    () => nested(random.integer(300), '{"a":', '1', '}'),
    () => nested(random.integer(100_000), '[', '', ''),
    () => Array.from({ length: random.integer(200) }, () => planted),
    () => Object.fromEntries(names.map(name => [name, planted])),
    () => new RawJson('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'),
    () => planted.repeat(random.integer(2000)),
  ])()
}

function nested(depth: number, open: string, inner: string, close: string): RawJson {
  return new RawJson(open.repeat(depth) + inner + close.repeat(depth))
}

/** JSON that JavaScript never writes. */
class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Writes an object with possible duplicate members. */
function writeMembers(members: readonly (readonly [string, unknown])[]): string {
  const written = members.map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${value instanceof RawJson ? value.text : JSON.stringify(value)}`,
  )
  return `{${written.join(',')}}`
}
