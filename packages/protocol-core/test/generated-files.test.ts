import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { commandReferenceFile } from '../scripts/command-reference.ts'
import { pagesWithTables } from '../scripts/generated-tables.ts'
import { generatedTypes } from '../scripts/generated-types.ts'
import { jsonSchemaFiles } from '../scripts/json-schemas.ts'

const folder = new URL('../json-schema/', import.meta.url)
const files = jsonSchemaFiles()

describe('generated files are up to date (npm run schemas)', () => {
  test('json-schema/ has exactly the schemas of this package', () => {
    expect(readdirSync(folder).sort()).toEqual([...files.keys()].sort())
  })

  test.each([...files])('json-schema/%s', (name, text) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text)
  })

  test.each([commandReferenceFile(), ...pagesWithTables(), ...generatedTypes()])('$name', ({ url, text }) => {
    expect(readFileSync(url, 'utf8')).toBe(text)
  })
})

test('an installed package exports each schema', () => {
  const { resolve } = createRequire(import.meta.url)
  for (const name of files.keys())
    expect(resolve(`@service-link/protocol-core/json-schema/${name}`)).toBe(
      fileURLToPath(new URL(name, folder)),
    )
})

test('no schema is empty and so accepts everything', () => {
  for (const [name, text] of files) {
    const schema = JSON.parse(text)
    expect(schema.$schema, name).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.type ?? schema.anyOf, name).toBeDefined()
    expect(schema.description, name).not.toBe('')
  }
})
