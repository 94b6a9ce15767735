// Builds the page that explains a refusal in the browser: `node scripts/explain-page.ts <folder>`.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { pureErrors, thirdPartyLicenses } from '../internal/bundling/src/index.ts'

const source = fileURLToPath(new URL('../docs/explain/', import.meta.url))

/** Writes index.html with its script, style and the licenses of the libraries in it. It needs no server and no other file. */
export async function buildExplainPage(outFolder: string): Promise<void> {
  mkdirSync(outFolder, { recursive: true })
  for (const file of ['index.html', 'explain.css']) copyFileSync(join(source, file), join(outFolder, file))
  await build({
    entryPoints: [join(source, 'explain.ts')],
    outfile: join(outFolder, 'explain.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@service-link/source'],
    legalComments: 'none',
    plugins: [pureErrors, thirdPartyLicenses(join(outFolder, 'third-party-licenses.txt'))],
    logLevel: 'warning',
  })
}

if (import.meta.main) {
  const [outFolder] = process.argv.slice(2)
  if (outFolder === undefined) {
    console.error('Give the folder to write: node scripts/explain-page.ts <folder>')
    process.exitCode = 2
  } else await buildExplainPage(resolve(outFolder))
}
