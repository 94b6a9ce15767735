import { indexNames, type NameIndex } from './fold-names.ts'

/** Names of ids as they travel in arguments, single results and events, and the spelling of programs. */
const spellings = { customid: 'customId', userid: 'userId' } as const

type Spelled<Name> = Name extends keyof typeof spellings ? (typeof spellings)[Name] : Name

/** A value as programs have it. The entries of lists travel in that spelling already. */
export type FromWire<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? {
        [Name in keyof Value as Spelled<Name>]: Name extends 'person' ? FromWire<Value[Name]> : Value[Name]
      }
    : Value

/** Names of one kind of object, as programs spell them. */
export interface WireNames {
  readonly index: NameIndex
  /** Names in a member that holds an object, or a list of objects. */
  readonly inner: ReadonlyMap<string, WireNames>
}

/** Spelling of a member in the lists of the classic mode: `customId` → `CustomId`. */
const classicName = (name: string) => name.replace(/^./, first => first.toUpperCase())

/** Prepares names for {@link fromWire}. */
export function wireNames(
  names: readonly string[],
  inner: Readonly<Record<string, WireNames>> = {},
): WireNames {
  const classic = names.map(name => [classicName(name), name] as const)
  return { index: new Map([...classic, ...indexNames(names)]), inner: new Map(Object.entries(inner)) }
}

const ids = Object.values(spellings)
const idNames = wireNames([...ids, 'person'], { person: wireNames(ids) })

/**
 * Names the known members of an object, or of each object of a list, as programs do, in whatever case they come. Of two spellings
 * of one name the one of programs counts. Keeps unknown members, and does not copy an object that is spelled so already. The only
 * reader of the wire's names.
 *
 * @param names the known names. Default: the ids, also in the member `person`
 */
export function fromWire<Value>(value: Value, names: WireNames = idNames): FromWire<Value> {
  if (Array.isArray(value) && names === idNames) return value as FromWire<Value>
  return respell(value, names) as FromWire<Value>
}

function respell(value: unknown, names: WireNames): unknown {
  if (Array.isArray(value)) return value.map(entry => respell(entry, names))
  if (typeof value !== 'object' || value === null) return value
  const { index, inner } = names
  const given = value as Readonly<Record<string, unknown>>
  const sent = Object.keys(given)
  const isSpelled = (name: string) =>
    index.get(name) === name ? !inner.has(name) : !index.has(name.toLowerCase())
  if (sent.every(isSpelled)) return value
  const members: Record<string, unknown> = {}
  for (const spelling of sent) {
    const name = index.get(spelling) ?? index.get(spelling.toLowerCase()) ?? spelling
    if (name === '__proto__' || (spelling !== name && Object.hasOwn(members, name))) continue
    const within = inner.get(name)
    members[name] = within ? respell(given[spelling], within) : given[spelling]
  }
  return members
}

/** Names the ids of an object, and of its member `person`, as they travel. Lists stay as they are. */
export function toWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      wireNameOf(name),
      name === 'person' ? toWire(member) : member,
    ]),
  )
}

/** Names an argument as it travels. */
export function wireNameOf(name: string): string {
  return name === 'customId' || name === 'userId' ? name.toLowerCase() : name
}

/** One member of a list's entries, in the classic mode. */
export interface ClassicMember {
  /** Stands for a member that the web app does not give, or makes it of the entry. Typed readers fail on a null that is no text. */
  readonly absent: unknown
  /** Writes the entries of a list in this member. */
  readonly write?: ((list: readonly unknown[]) => unknown[]) | undefined
}

/**
 * Prepares writing a list as programs of the classic mode read it: every known member of each entry, as `Id`, `CustomId`, …, and
 * the web app's own members as they are. A number in place of a text becomes its text.
 *
 * @param members by their name, as programs spell it
 */
export function classicWriter(
  members: Readonly<Record<string, ClassicMember>>,
): (list: readonly unknown[]) => unknown[] {
  const known = Object.entries(members).map(([name, member]) => [name, classicName(name), member] as const)
  const writeEntry = (entry: Readonly<Record<string, unknown>>) => {
    const written: Record<string, unknown> = {}
    for (const [name, classic, member] of known) written[classic] = classicValue(entry, name, member)
    for (const name of Object.keys(entry))
      if (!Object.hasOwn(members, name) && name !== '__proto__') written[name] = entry[name]
    return written
  }
  return list => list.map(entry => writeEntry(Object(entry)))
}

function classicValue(
  entry: Readonly<Record<string, unknown>>,
  name: string,
  { absent, write }: ClassicMember,
): unknown {
  const value = entry[name]
  if (value === undefined || value === null) return typeof absent === 'function' ? absent(entry) : absent
  if (write && Array.isArray(value)) return write(value)
  return absent === null && typeof value === 'number' ? String(value) : value
}
