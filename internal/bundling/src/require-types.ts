// Run in a package after its build: writes each file of types again for CommonJS, whose programs load the same ES modules.

import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

for (const stale of globSync('dist/**/*.d.cts')) rmSync(stale)
for (const file of globSync('dist/**/*.d.ts'))
  writeFileSync(file.replace(/ts$/, 'cts'), typesForRequire(readFileSync(file, 'utf8')))

/** Under `module: node16` a file of CommonJS imports the types of an ES module by an attribute alone. jose has no others. */
function typesForRequire(text: string): string {
  return text
    .replaceAll(/^import '[^']+';\n/gm, '')
    .replaceAll(/(?<=from '\.{1,2}\/[^']+\.)js(?=')/g, 'cjs')
    .replaceAll(/^import (\{[^}]+\} from 'jose')/gm, "import type $1 with { 'resolution-mode': 'import' }")
}
