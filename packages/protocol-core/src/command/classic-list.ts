import type * as z from 'zod/mini'
import { factsOf } from '../schema/facts.ts'
import { innermost, type Members, objectIn } from '../schema/names.ts'

type Write = (value: unknown) => unknown

const writers = new WeakMap<z.core.$ZodType, Write>()

/** Writes a list of the classic mode, whose typed readers fail on a missing member, and on a null that is no text. */
export function writeClassicList(schema: z.core.$ZodType, list: unknown): unknown {
  let write = writers.get(schema)
  if (!write) {
    write = writerOf(schema)
    writers.set(schema, write)
  }
  return write(list)
}

function writerOf(schema: z.core.$ZodType): Write {
  const inner = innermost(schema)
  const { def } = inner._zod
  const object = objectIn(inner)
  if (object) return entryWriter(object)
  if (def.type === 'array') {
    const write = writerOf(def.element)
    return list => (Array.isArray(list) ? list.map(write) : [])
  }
  if (def.type === 'number') return value => value ?? 0
  return value => (typeof value === 'number' ? String(value) : (value ?? null))
}

/** Writes known members first, with a capital letter, and keeps the others. */
function entryWriter({ shape }: z.ZodMiniObject): Write {
  const members = Object.entries(shape).map(([name, schema]) => {
    const { classicDefault } = factsOf(schema)
    const write = writerOf(schema)
    const writeMember = classicDefault
      ? (entry: Members) => write(entry[name] ?? classicDefault(entry))
      : (entry: Members) => write(entry[name])
    return [name.replace(/^./, first => first.toUpperCase()), writeMember] as const
  })
  return entry => {
    const written: Record<string, unknown> = {}
    for (const [name, write] of members) written[name] = write(entry as Members)
    for (const name in entry as Members)
      if (!Object.hasOwn(shape, name)) written[name] = (entry as Members)[name]
    return written
  }
}
