import * as z from 'zod/mini'

/** What programs and documents read of a schema. A registry has it and no check: it costs nothing when a value is read. */
export interface SchemaFacts {
  /** One clause without a full stop. */
  readonly description?: string
  /** Members of its JSON Schema that zod does not know, such as the type of what a transform takes. */
  readonly json?: z.core.JSONSchema.BaseSchema
}

/** The facts of every schema of this package. */
const registry = /* @__PURE__ */ z.registry<SchemaFacts>()

/** What is registered of a schema; an empty object where nothing is. */
export function factsOf(schema: z.core.$ZodType): SchemaFacts {
  return registry.get(schema) ?? {}
}

/** A copy of a schema with further facts. */
export function withFacts<Schema extends z.core.$ZodType>(schema: Schema, facts: SchemaFacts): Schema {
  const copy = z.clone(schema)
  const { json, ...known } = factsOf(schema)
  registry.add(copy, {
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

/** The facts that stand in a JSON Schema. */
export function jsonFactsOf(schema: z.core.$ZodType): z.core.JSONSchema.BaseSchema {
  const { description, json } = factsOf(schema)
  return { ...json, ...(description === undefined ? {} : { description }) }
}
