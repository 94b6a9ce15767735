import * as z from 'zod/mini'
import { factsOf } from '../src/schema/facts.ts'
import { wireName } from '../src/schema/names.ts'

/** Presents the facts as the metadata that zod writes into a JSON Schema. */
class JsonFacts extends z.core.$ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType) {
    const { description, json, sent } = factsOf(schema)
    const { $schema, ...written } = sent ? jsonSchemaOf(sent) : {}
    return { ...written, ...json, ...(description === undefined ? {} : { description }) }
  }
}

/** The JSON Schema (draft 2020-12) of what a sender may write. */
export function jsonSchemaOf(schema: z.core.$ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    metadata: new JsonFacts(),
    override: ({ zodSchema, jsonSchema }) => {
      const { properties, required } = jsonSchema
      const spell = (name: string) => wireName(zodSchema, name)
      if (properties)
        jsonSchema.properties = Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [spell(name), member]),
        )
      if (required) jsonSchema.required = required.map(spell)
    },
  })
}
