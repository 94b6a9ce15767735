import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { wineEnvironment } from './wine-environment.ts'

const run = promisify(execFile)

/** Longest wait for one step, in milliseconds; the first start of Wine takes ten seconds on a quiet machine. */
const stepTimeoutMs = 180_000

/**
 * Makes a folder in which Wine is a Windows 10 that Node and the test runner's libraries run on. Keeps one that is complete.
 *
 * @param prefix absolute path
 */
export async function preparePrefix(prefix: string): Promise<void> {
  const mark = join(prefix, 'prepared')
  if (existsSync(mark)) return
  await rm(prefix, { recursive: true, force: true })
  await mkdir(dirname(prefix), { recursive: true })
  const options = { env: { ...wineEnvironment(prefix), DISPLAY: '' }, timeout: stepTimeoutMs }
  await run('wineboot', ['-i'], options)
  await run('wine', ['winecfg', '-v', 'win10'], options)
  await run('wineserver', ['-w'], options)
  const system = join(prefix, 'drive_c', 'windows', 'system32')
  await hideBrokenFunction(join(system, 'kernelbase.dll'))
  await run('x86_64-w64-mingw32-gcc', [
    ...['-O1', '-shared', '-o', join(system, 'bcryptprimitives.dll')],
    ...[fileURLToPath(new URL('bcryptprimitives.c', import.meta.url)), '-ladvapi32'],
  ])
  await writeFile(mark, '')
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
