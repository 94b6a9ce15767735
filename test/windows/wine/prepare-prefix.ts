import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { endProcesses, wineEnvironment } from './wine-environment.ts'

const run = promisify(execFile)

/** Longest wait for one step, in milliseconds. The first start of Wine takes ten seconds on a quiet machine. */
const stepTimeoutMs = 180_000

/** The version of this set-up; a prefix of another version is made anew. */
const makers = ['prepare-prefix.ts', 'bcryptprimitives.c', 'tasklist.c']

/**
 * Makes a folder in which Wine is a Windows 10 that runs Node and the test runner's libraries. Keeps a complete one.
 *
 * @param prefix absolute path
 */
export async function preparePrefix(prefix: string): Promise<void> {
  const mark = join(prefix, 'prepared')
  const sources = await Promise.all(makers.map(name => readFile(new URL(name, import.meta.url))))
  const digest = createHash('sha256').update(Buffer.concat(sources)).digest('hex')
  if ((await readFile(mark, 'utf8').catch(() => '')) === digest) return
  const options = { env: wineEnvironment(prefix), timeout: stepTimeoutMs }
  // An incomplete prefix may still run processes.
  await endProcesses(prefix)
  await rm(prefix, { recursive: true, force: true, maxRetries: 5 })
  await mkdir(prefix, { recursive: true })
  await run('wineboot', ['-i'], options)
  await run('wine', ['winecfg', '-v', 'win10'], options)
  await run('wineserver', ['-w'], options)
  const system = join(prefix, 'drive_c', 'windows', 'system32')
  await hideBrokenFunction(join(system, 'kernelbase.dll'))
  await compile('bcryptprimitives.c', join(system, 'bcryptprimitives.dll'), ['-shared', '-ladvapi32'])
  await compile('tasklist.c', join(system, 'tasklist.exe'))
  await writeFile(mark, digest)
}

/** The file may be a link to the system's, which must not change. */
async function compile(source: string, file: string, options: readonly string[] = []): Promise<void> {
  await rm(file, { force: true })
  await run('x86_64-w64-mingw32-gcc', [
    ...['-O1', '-o', file],
    ...[fileURLToPath(new URL(source, import.meta.url)), ...options],
  ])
}

/**
 * V8 of Node 24 and newer reserves memory with VirtualAlloc2 if it exists. Wine 8 implements it wrongly; V8 works without
 * it. The prefix's copy of the library therefore has the function under another name. The copy also loses its mark as
 * Wine's, or Wine would load the system's library instead.
 */
async function hideBrokenFunction(file: string): Promise<void> {
  const library = (await readFile(file)).toString('latin1')
  const changed = library
    .replaceAll('\0VirtualAlloc2\0', '\0VirtualAlloq2\0')
    .replace('Wine builtin DLL', 'Wine changed DLL')
  if (changed === library || changed.length !== library.length)
    throw new Error('kernelbase.dll of this Wine is not what was expected.')
  // A new file, because the old one may be a link to the system's.
  await writeFile(`${file}.new`, Buffer.from(changed, 'latin1'))
  await rename(`${file}.new`, file)
}
