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

/** Members of an object by their names. */
export type Members = Readonly<Record<string, unknown>>

/** Names of one kind of object, as programs spell them. */
export interface WireNames {
  readonly index: NameIndex
  /** Names in a member that holds an object, or a list of objects. */
  readonly inner: ReadonlyMap<string, WireNames>
  /** The names in the lists of the classic mode: `customId` → `CustomId`. */
  readonly classic: readonly string[]
  /** Names the known members of an object that has all of {@link classic}: quicker than by the index. */
  readonly fromClassic: ((object: Members) => Members) | undefined
  /** Whether the objects are in lists of a list. A flat list counts as the only one of these, and null as an empty one. */
  readonly inLists?: boolean
}

/** Prepares names for {@link fromWire}. */
export function wireNames(
  names: readonly string[],
  inner: Readonly<Record<string, { readonly names: WireNames }>> = {},
  fromClassic?: (object: Members) => Members,
): WireNames {
  const classic = names.map(name => name.replace(/^./, first => first.toUpperCase()))
  const within = Object.entries(inner).map(([name, shape]) => [name, shape.names] as const)
  return { index: indexNames(names), inner: new Map(within), classic, fromClassic }
}

const ids = Object.values(spellings)
const idNames = wireNames([...ids, 'person'], { person: { names: wireNames(ids) } })

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
  if (Array.isArray(value)) {
    const spell = (list: readonly unknown[]) => changeEntries(list, sent => namerOf(sent, names))
    if (!names.inLists) return spell(value)
    const lists: readonly unknown[] = value.some(isObject) ? [value] : value
    return lists.map(list => (Array.isArray(list) ? spell(list) : (list ?? [])))
  }
  return isObject(value) ? namerOf(Object.keys(value), names)(value) : value
}

/** Returns how to name the members of objects that have these. */
function namerOf(sent: readonly string[], names: WireNames): (object: Members) => Members {
  const { index, inner, classic, fromClassic } = names
  const nameOf = (spelling: string) => index.get(spelling) ?? index.get(spelling.toLowerCase())
  if (sent.every(name => (nameOf(name) ?? name) === name && !inner.has(name))) return object => object
  if (fromClassic && classic.every(name => sent.includes(name))) {
    const others = sent.filter(name => !classic.includes(name))
    if (others.every(name => nameOf(name) === undefined)) return keeping(others, fromClassic)
  }
  return object => {
    const members: Record<string, unknown> = {}
    for (const spelling of sent) {
      const name = nameOf(spelling) ?? spelling
      if (name === '__proto__' || (spelling !== name && Object.hasOwn(members, name))) continue
      const within = inner.get(name)
      members[name] = within ? respell(object[spelling], within) : object[spelling]
    }
    return members
  }
}

/** Adds the members that a change of objects leaves out. */
export function keeping(others: readonly string[], change: (object: Members) => Members) {
  const kept = others.filter(name => name !== '__proto__')
  if (kept.length === 0) return change
  return (object: Members): Members => {
    const changed: Record<string, unknown> = change(object)
    for (const name of kept) changed[name] = object[name]
    return changed
  }
}

/**
 * Changes the objects of a list.
 *
 * @param changeFor returns the change for objects with these members. Those in a row that have the same share it
 */
export function changeEntries(
  list: readonly unknown[],
  changeFor: (members: readonly string[]) => (object: Members) => Members,
): unknown[] {
  let members: readonly string[] | undefined
  let change = (object: Members) => object
  return list.map(entry => {
    if (!isObject(entry)) return entry
    if (!members || !hasExactly(entry, members)) {
      members = Object.keys(entry)
      change = changeFor(members)
    }
    return change(entry)
  })
}

function hasExactly(object: Members, members: readonly string[]): boolean {
  let count = 0
  for (const name in object) if (name !== members[count++]) return false
  return count === members.length
}

/** Whether a value is an object with members, and no list. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names the ids of an object, and of its member `person`, as they travel. Lists stay as they are. */
export function toWire(value: unknown): unknown {
  if (!isObject(value)) return value
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
