// `npm run docs` serves the documentation while it is written; `npm run docs -- --check` builds and checks the site.
import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, createServer } from 'vitepress'
import { copyPages } from '../.vitepress/copied-pages.ts'
import { rootFolder } from '../.vitepress/repository.ts'
import { checkSite } from './check-site.ts'
import { writeApi } from './write-api.ts'

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, port: { type: 'string', default: '4290' } },
})
const folder = join(rootFolder, 'docs')

/** Runs a program from the repository's folder. @returns whether it ended with 0; it has printed the reason */
const run = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { cwd: rootFolder, stdio: 'inherit' }).status === 0

const isIndexRight = run('-C', '@service-link/source', 'scripts/error-index.ts')
const isExplainBuilt = run('-C', '@service-link/source', 'scripts/explain-page.ts', 'docs/public/explain')

copyPages()
await rm(join(folder, 'api'), { recursive: true, force: true })
const isApiRight = await writeApi()

if (values.check) {
  const speller = fileURLToPath(import.meta.resolve('cspell/bin'))
  const isSpeltRight = run(speller, '--config', 'docs/cspell.json', '--no-progress')
  await build(folder)
  const { problems, measured } = await checkSite(join(folder, '.vitepress/dist'))
  for (const problem of problems) console.error(problem)
  console.log(`${measured}. ${problems.length} problems.`)
  if (!isIndexRight) console.error('The error index could not be made; see above.')
  if (!isExplainBuilt) console.error('The page that explains a refusal could not be built; see above.')
  if (!isApiRight) console.error('The API reference has warnings, which are errors here; see above.')
  if (!isSpeltRight) console.error('Correct the spelling, or add the word to docs/cspell.json; see above.')
  process.exitCode = [problems.length === 0, isIndexRight, isExplainBuilt, isApiRight, isSpeltRight].every(
    Boolean,
  )
    ? 0
    : 1
} else {
  const server = await createServer(folder, { port: Number(values.port), host: '127.0.0.1' })
  await server.listen()
  server.printUrls()
}
