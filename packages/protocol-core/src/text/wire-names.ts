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

const wireNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(spellings).map(([name, spelled]) => [spelled, name]),
)

/** Names the ids of an object, and of its member `person`, as programs do. The only reader of the wire's names. */
export function fromWire<Value>(value: Value): FromWire<Value> {
  return respell(value, spellings) as FromWire<Value>
}

/** The reverse of {@link fromWire}. */
export function toWire(value: unknown): unknown {
  return respell(value, wireNames)
}

/** Names an argument as it travels. */
export function wireNameOf(name: string): string {
  return Object.hasOwn(wireNames, name) ? String(wireNames[name]) : name
}

function respell(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      Object.hasOwn(names, name) ? names[name] : name,
      name === 'person' ? respell(member, names) : member,
    ]),
  )
}
