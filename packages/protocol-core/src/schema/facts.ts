import * as z from 'zod/mini'

/** What programs and documents read of a schema. A registry has it and no check: it costs nothing when a value is read. */
export interface SchemaFacts {
  /** One clause without a full stop. */
  readonly description?: string
  /** Members of its JSON Schema that zod does not know, such as the type of what a transform takes. */
  readonly json?: z.core.JSONSchema.BaseSchema
  /** What a sender is asked to write, where the schema takes more. */
  readonly sent?: z.core.$ZodType
  /** Of an object: the names of its members travel in lower case. */
  readonly isLowerCase?: boolean
  /** Of a list's member: what the classic mode writes where the entry has none. Default: 0, an empty list, or null. */
  readonly classicDefault?: (entry: Readonly<Record<string, unknown>>) => unknown
}

/** The facts of every schema of this package. */
const registry = new WeakMap<z.core.$ZodType, SchemaFacts>()

/** What is registered of a schema, or of the one that it is a check more than; an empty object where nothing is. */
export function factsOf(schema: z.core.$ZodType): SchemaFacts {
  const { parent } = schema._zod
  return registry.get(schema) ?? (parent ? factsOf(parent) : {})
}

/** A copy of a schema with further facts. */
export function withFacts<Schema extends z.core.$ZodType>(schema: Schema, facts: SchemaFacts): Schema {
  const copy = z.clone(schema)
  const { json, ...known } = factsOf(schema)
  registry.set(copy, {
    ...known,
    ...facts,
    ...(json || facts.json ? { json: { ...json, ...facts.json } } : {}),
  })
  return copy
}

/** A copy of a schema with a description. */
export function described<Schema extends z.core.$ZodType>(schema: Schema, description: string): Schema {
  return withFacts(schema, { description })
}

/** A copy of a schema with members of its JSON Schema. */
export function withJson<Schema extends z.core.$ZodType>(
  schema: Schema,
  json: z.core.JSONSchema.BaseSchema,
): Schema {
  return withFacts(schema, { json })
}
