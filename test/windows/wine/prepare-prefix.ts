import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { endProcesses } from './end-processes.ts'
import { wineEnvironment } from './wine-environment.ts'

const run = promisify(execFile)

/** Longest wait for one step, in milliseconds; the first start of Wine takes ten seconds on a quiet machine. */
const stepTimeoutMs = 180_000

/** What a prefix is made by: one that was made by something else is made anew. */
const makers = ['prepare-prefix.ts', 'bcryptprimitives.c', 'tasklist.c']

/**
 * Makes a folder in which Wine is a Windows 10 that Node and the test runner's libraries run on. Keeps one that is complete.
 *
 * @param prefix absolute path
 */
export async function preparePrefix(prefix: string): Promise<void> {
  const mark = join(prefix, 'prepared')
  const sources = await Promise.all(makers.map(name => readFile(new URL(name, import.meta.url))))
  const digest = createHash('sha256').update(Buffer.concat(sources)).digest('hex')
  if ((await readFile(mark, 'utf8').catch(() => '')) === digest) return
  const options = { env: wineEnvironment(prefix), timeout: stepTimeoutMs }
  // One that is half made may still have processes.
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

/** The file that is there may be a link to the system's, which must stay as it is. */
async function compile(source: string, file: string, options: readonly string[] = []): Promise<void> {
  await rm(file, { force: true })
  await run('x86_64-w64-mingw32-gcc', [
    ...['-O1', '-o', file],
    ...[fileURLToPath(new URL(source, import.meta.url)), ...options],
  ])
}

/**
 * V8 of Node 24 and newer reserves memory with VirtualAlloc2 where that is there, and Wine 8 does it wrong; where it is not, V8 does
 * without. So the prefix's own copy of the library has the function under another name, and no longer says that it is Wine's own, which
 * would have Wine load the one of the system in its place.
 */
async function hideBrokenFunction(file: string): Promise<void> {
  const library = (await readFile(file)).toString('latin1')
  const changed = library
    .replaceAll('\0VirtualAlloc2\0', '\0VirtualAlloq2\0')
    .replace('Wine builtin DLL', 'Wine changed DLL')
  if (changed === library || changed.length !== library.length)
    throw new Error('kernelbase.dll of this Wine is not what was expected.')
  // A new file: the one that is there may be a link to the system's.
  await writeFile(`${file}.new`, Buffer.from(changed, 'latin1'))
  await rename(`${file}.new`, file)
}
