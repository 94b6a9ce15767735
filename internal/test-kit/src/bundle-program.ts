import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Folder of the run, which its set-up removes. Without a run: one of this process. */
const folderOfRun = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), `service-link-programs-${process.pid}`)

const bundles = new Map<string, Promise<string>>()

/**
 * Bundles a program once in a run: Node starts the bundle in half the time of the sources.
 *
 * @param source file URL of a TypeScript module
 * @returns absolute path of the program
 */
export function bundleProgram(source: URL): Promise<string> {
  const made = bundles.get(source.href) ?? bundle(fileURLToPath(source))
  bundles.set(source.href, made)
  return made
}

async function bundle(source: string): Promise<string> {
  const folder = join(folderOfRun, 'programs', createHash('sha256').update(source).digest('hex').slice(0, 16))
  const program = join(folder, `${basename(source, '.ts')}.mjs`)
  if (existsSync(program)) return program
  await mkdir(join(folderOfRun, 'programs'), { recursive: true })
  const part = await mkdtemp(`${folder}-`)
  await build({
    entryPoints: [source],
    outdir: part,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Keeps what a program loads only when it needs it.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['@service-link/source', 'module'],
    external: ['electron', 'playwright-core', 'esbuild'],
    // Packages that a program looks for are those of its sources.
    define: { 'import.meta.filename': JSON.stringify(source) },
    banner: {
      js: `import { createRequire as ofSource } from 'node:module'; const require = ofSource(${JSON.stringify(pathToFileURL(source).href)});`,
    },
    logLevel: 'silent',
  })
  // Tests start it as other users, too.
  await chmod(part, 0o755)
  // Another worker may have been faster.
  await rename(part, folder).catch(() => rm(part, { recursive: true }))
  return program
}
