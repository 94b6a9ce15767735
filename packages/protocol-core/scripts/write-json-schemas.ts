import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { commandReferenceFile } from './command-reference.ts'
import { pagesWithTables } from './generated-tables.ts'
import { generatedTypes } from './generated-types.ts'
import { jsonSchemaFiles } from './json-schemas.ts'

// Writes json-schema/ of this package, the reference of the commands and tables of other pages from the schemas.
const folder = new URL('../json-schema/', import.meta.url)
mkdirSync(folder, { recursive: true })
const files = jsonSchemaFiles()
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(new URL(name, folder))
for (const [name, text] of files) writeFileSync(new URL(name, folder), text)

const pages = [commandReferenceFile(), ...pagesWithTables(), ...generatedTypes()]
for (const { url, text } of pages) writeFileSync(url, text)
console.log(`${files.size} schemas and ${pages.map(({ name }) => name).join(', ')} written`)
