import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Beside the compiled code of the runner. The same sources have the same folder. */
const programs = fileURLToPath(new URL('../../../node_modules/.cache/programs/', import.meta.url))
const dayMs = 24 * 60 * 60 * 1000

const bundles = new Map<string, Promise<string>>()

/**
 * Bundles a program, once in a process: Node starts the bundle in half the time of the sources.
 *
 * @param source file URL of a TypeScript module
 * @returns absolute path of the program
 */
export function bundleProgram(source: URL): Promise<string> {
  const made = bundles.get(source.href) ?? bundle(source)
  bundles.set(source.href, made)
  return made
}

async function bundle(source: URL): Promise<string> {
  const path = fileURLToPath(source)
  const { outputFiles } = await build({
    entryPoints: [path],
    outdir: programs,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    // Keeps what a program loads only when it needs it.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['@service-link/source', 'module'],
    external: ['electron', 'playwright-core', 'esbuild'],
    // Packages that a program looks for are those of its sources.
    define: { 'import.meta.filename': JSON.stringify(path) },
    banner: {
      js: `import { createRequire as ofSource } from 'node:module'; const require = ofSource(${JSON.stringify(source.href)});`,
    },
    logLevel: 'silent',
  })
  const name = basename(path, '.ts')
  const hash = createHash('sha256').update(path)
  for (const { contents } of outputFiles) hash.update(contents)
  const folder = join(programs, `${name}-${hash.digest('hex').slice(0, 16)}`)
  const program = join(folder, `${name}.mjs`)
  if (existsSync(program)) return program
  await mkdir(programs, { recursive: true })
  await removeOld()
  const part = await mkdtemp(`${folder}-`)
  for (const { path: file, contents } of outputFiles) await writeFile(join(part, basename(file)), contents)
  // Tests start it as other users, too.
  await chmod(part, 0o755)
  // Another worker may have been faster.
  await rename(part, folder).catch(() => rm(part, { recursive: true }))
  return program
}

/** Removes the programs of sources that have changed since. */
async function removeOld(): Promise<void> {
  for (const name of await readdir(programs)) {
    const age = await stat(join(programs, name)).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > dayMs) await rm(join(programs, name), { recursive: true, force: true })
  }
}
