import * as z from 'zod/mini'
import { isObject } from '../errors/parameter-error.ts'
import { indexNames, type NameIndex } from '../text/fold-names.ts'
import { factsOf, withFacts } from './facts.ts'

/** Members of an object by their names. */
export type Members = Readonly<Record<string, unknown>>

/**
 * An object, perhaps null, whose names are matched in any case and become those of the schema. Of two spellings of one name the
 * schema’s counts.
 */
export function anyCase<Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniPipe<z.ZodMiniTransform, Schema> {
  const index = indexNames(Object.keys(objectIn(schema)?.shape ?? {}))
  const spelled = z.transform((value: unknown) => spell(value, index))
  return z.pipe(spelled, schema as z.ZodMiniType) as unknown as z.ZodMiniPipe<z.ZodMiniTransform, Schema>
}

/** Names the known members of an object. Does not copy one that is spelled so already. */
function spell(value: unknown, index: NameIndex): unknown {
  if (!isObject(value) || isSpelled(value, index)) return value
  const members: Record<string, unknown> = {}
  for (const sent in value) {
    const name = index.get(sent) ?? index.get(sent.toLowerCase()) ?? sent
    if (name !== '__proto__' && (sent === name || members[name] === undefined)) members[name] = value[sent]
  }
  return members
}

function isSpelled(value: Members, index: NameIndex): boolean {
  for (const name in value) if (index.get(name) !== name) return false
  return true
}

/** A copy of a schema of an object whose names travel in lower case: `customId` as `customid`. Others travel as they are. */
export function lowerCase<Schema extends z.ZodMiniObject>(object: Schema): Schema {
  return withFacts(object, { isLowerCase: true })
}

/** The schema of a value that is there: without what makes it optional, and without transforms around it. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional' || def.type === 'nullable') return innermost(def.innerType)
  if (def.type !== 'pipe') return schema as z.core.$ZodTypes
  return innermost(def.out._zod.def.type === 'transform' ? def.in : def.out)
}

/** The object that a schema describes, if it describes one. */
export function objectIn(schema: z.core.$ZodType): z.ZodMiniObject | undefined {
  const inner = innermost(schema)
  return inner._zod.def.type === 'object' ? (inner as unknown as z.ZodMiniObject) : undefined
}

/**
 * Names a value as it travels in the session mode, and in single results of the classic mode.
 *
 * @param schema of the value, or a word for a reply that is no JSON
 */
export function toWire(schema: z.core.$ZodType | string, value: unknown): unknown {
  const object = typeof schema === 'string' ? undefined : objectIn(schema)
  if (!object || !isObject(value)) return value
  const { shape } = object
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = Object.hasOwn(shape, name) ? shape[name] : undefined
      return known ? [wireName(object, name), toWire(known, member)] : [name, member]
    }),
  )
}

/** A member's name as it travels. */
export function wireName(object: z.core.$ZodType, name: string): string {
  return factsOf(object).isLowerCase ? name.toLowerCase() : name
}

/** Names of an object's members, or of those in a list, as they travel. */
export function memberNamesOf(schema: z.core.$ZodType): readonly string[] {
  const { def } = innermost(schema)._zod
  const object = objectIn(def.type === 'array' ? def.element : schema)
  return Object.keys(object?.shape ?? {}).map(name => (object ? wireName(object, name) : name))
}

/** A schema that reads another value in place of one that it refuses. */
export function orElse<Schema extends z.ZodMiniType>(schema: Schema, other: z.input<Schema>) {
  const choose = (value: unknown): unknown => (z.safeParse(schema, value).success ? value : other)
  return z.pipe(z.transform(choose), schema as z.ZodMiniType<z.output<Schema>>)
}

/** The path of an argument as it travels: its name is in lower case. */
export function wirePath(path: string): string {
  return path.replace(/^[^.]*/, name => name.toLowerCase())
}
