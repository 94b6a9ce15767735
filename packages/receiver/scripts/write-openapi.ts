import { writeFileSync } from 'node:fs'
import { openApiFile } from './openapi.ts'

const { url, text } = openApiFile()
writeFileSync(url, text)
console.log('openapi.json written')
