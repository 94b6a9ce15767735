// Makes all that a release publishes, from what is committed: packed packages, list of parts, licenses, notes, checksums.
// `npm run release -- --out <folder>` takes the versions as they are; with --dry-run it raises them by the change sets first.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { missingSizes } from './release-sizes.ts'
import { writeSbom } from './sbom.ts'
import { root } from './structure.ts'

/** Runs a program in a folder, with its words and further arguments. Its output goes to the error output. */
function run(folder: string, words: string, ...more: readonly string[]): void {
  console.error(`── ${[words, ...more].join(' ')}`)
  const [command = '', ...args] = words.split(' ')
  // Under CI the build fails if a compiler is missing, instead of leaving a part out.
  const env = { ...process.env, CI: 'true' }
  const shell = process.platform === 'win32'
  execFileSync(command, [...args, ...more], { cwd: folder, stdio: ['ignore', 2, 2], env, shell })
}

/** Packs a clone into a folder, which is empty. */
function makeRelease(clone: string, out: string): void {
  // A cached build may lack parts for which a compiler was missing.
  run(clone, 'pnpm exec turbo run build --filter ./packages/* --force --output-logs=errors-only')
  run(clone, 'pnpm -r --filter ./packages/* --silent pack --pack-destination', out)
  writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(writeSbom(clone, out), null, 2)}\n`)
  writeFileSync(join(out, 'third-party-licenses.txt'), licensesOf(clone))
  writeFileSync(join(out, 'notes.md'), notesOf(clone))
  const names = readdirSync(out).sort()
  const digests = names.map(name => `${digestOf(join(out, name))}  ${name}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), digests.join(''))
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** Each license text of others that a package has, once. */
function licensesOf(clone: string): string {
  const files = globSync('packages/*/dist/**/*licenses.txt', { cwd: clone })
  const rule = `\n${'-'.repeat(80)}\n\n`
  const texts = files.flatMap(file => readFileSync(join(clone, file), 'utf8').split(rule))
  return [...new Set(texts)].sort().join(rule)
}

/** What the newest version of each package brings, without the lines about our own dependencies. */
export function notesOf(clone: string): string {
  const files = globSync('packages/*/CHANGELOG.md', { cwd: clone }).sort()
  return files
    .map(file => {
      const [, newest = ''] = readFileSync(join(clone, file), 'utf8').split(/^## .*\n/m)
      const told = newest
        .replace(/^- Updated dependencies.*\n(?: {2}.*\n)*/gm, '')
        .replace(/^### .*\n+/gm, '')
        .replace(/^- [\da-f]{7,}: /gm, '- ')
      return told.trim() === '' ? '' : `## ${basename(dirname(file))}\n\n${told.trim()}\n`
    })
    .filter(told => told !== '')
    .join('\n')
}

function release(): void {
  const options = { 'dry-run': { type: 'boolean' }, out: { type: 'string' } } as const
  const { 'dry-run': isDryRun, out: named = '.data/release' } = parseArgs({ options }).values
  const missing = missingSizes(readFileSync(join(root, 'surface.txt'), 'utf8'))
  if (missing.length > 0) {
    console.error(`Changes of surface.txt need larger change sets: ${missing.join(', ')}.`)
    process.exit(1)
  }
  const out = resolve(root, named)
  const found = globSync('*', { cwd: out })
  if (found.length > 0 && !found.includes('SHA256SUMS')) {
    console.error(`${out} holds something else than a release. Name another folder.`)
    process.exit(1)
  }
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  // A clone: no local file gets into a release.
  const clone = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    run(root, 'git clone --quiet --no-local', root, clone)
    run(clone, 'pnpm install --frozen-lockfile --prefer-offline --silent')
    if (isDryRun) run(clone, 'pnpm exec changeset version')
    makeRelease(clone, out)
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
  console.log(`${readFileSync(join(out, 'SHA256SUMS'), 'utf8')}${out}`)
}

if (import.meta.main) release()
