import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { commandReferenceFile } from './command-reference.ts'
import { jsonSchemaFiles } from './json-schemas.ts'

// Writes json-schema/ of this package and the reference of the commands from the schemas.
const folder = new URL('../json-schema/', import.meta.url)
mkdirSync(folder, { recursive: true })
const files = jsonSchemaFiles()
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(new URL(name, folder))
for (const [name, text] of files) writeFileSync(new URL(name, folder), text)

const reference = commandReferenceFile()
mkdirSync(new URL('.', reference.url), { recursive: true })
writeFileSync(reference.url, reference.text)
console.log(`${files.size} schemas and ${reference.name} written`)
