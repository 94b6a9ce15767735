import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Brand } from '@service-link/protocol-core'
import { PackError, type PackTarget } from '../pack-plan.ts'
import { runTool } from '../run-tool.ts'

/** The line in a launcher behind which its brand's names have room. */
const brandLine = 'wrapper-pack: the names of the brand follow here\n'

/**
 * Loads a platform's launcher as this package was built. From sources it compiles the launcher.
 *
 * @param workFolder empty folder for temporary files, absolute path
 * @returns nothing if this package was built without the platform's compiler
 */
export async function loadLauncher(
  target: PackTarget,
  workFolder: string,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (import.meta.filename.endsWith('.ts')) {
    const file = join(workFolder, launcherFile(target))
    return (await compileLauncher(target, file, { signal })) ? readFile(file) : undefined
  }
  const packageFolder = import.meta.resolve('@service-link/wrapper-pack/package.json')
  const built = new URL(`dist/launcher/${launcherFile(target)}`, packageFolder)
  return readFile(built).catch(() => undefined)
}

/** File name of a launcher without names. A compiler for Windows adds a missing `.exe`. */
export function launcherFile({ platform, isWindows }: PackTarget): string {
  return isWindows ? `${platform}.exe` : platform
}

/** Writes a brand's names into a launcher. */
export function brandLauncher(launcher: Uint8Array, { vendor, application }: Brand): Uint8Array {
  const branded = Buffer.from(launcher)
  const at = branded.indexOf(brandLine)
  if (at === -1) throw new PackError('The launcher has no room for names. Install this package again.')
  branded.write(`${vendor}\0${application}\0`, at + brandLine.length)
  return branded
}

const compileTimeoutMs = 60_000
const checks = ['-std=c11', '-Wall', '-Wextra', '-Werror', '-pedantic']

/** Linked whole with musl, it runs on each release of Linux. */
const forLinux = ['-D_GNU_SOURCE', '-static', '-Wl,--build-id=none']
/** Linked with Windows's own C library: no other's notice is needed. */
const forWindows = ['-D__USE_MINGW_ANSI_STDIO=0', '-mwindows', '-static', '-Wl,--no-insert-timestamp']

/** The notice of musl, for `licenses.txt`. */
export const muslLicence = `Copyright © 2005-2020 Rich Felker, et al.

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

interface CompileOptions {
  /** Further flags of the compiler. */
  readonly flags?: readonly string[]
  readonly signal?: AbortSignal | undefined
}

/**
 * Compiles a platform's launcher.
 *
 * @returns whether the platform's compiler is installed
 */
export async function compileLauncher(
  { isWindows }: PackTarget,
  output: string,
  { flags = [], signal }: CompileOptions = {},
): Promise<boolean> {
  const isForHere = process.platform === 'linux' && process.arch === 'x64'
  const forLinuxX64 = isForHere ? 'musl-gcc' : 'x86_64-linux-musl-gcc'
  const compiler = isWindows ? 'x86_64-w64-mingw32-gcc' : forLinuxX64
  const sources = ['json.c', 'launcher.c', isWindows ? 'windows.c' : 'posix.c'].map(name =>
    fileURLToPath(new URL(`../../launcher/${name}`, import.meta.url)),
  )
  const libraries = isWindows ? ['-luserenv'] : []
  const options = ['-Os', '-s', ...checks, ...(isWindows ? forWindows : forLinux), ...flags]
  const argv = [...options, ...sources, '-o', output, ...libraries]
  const end = await runTool(compiler, argv, { timeoutMs: compileTimeoutMs, signal })
  if (end.startProblem === 'ENOENT') return false
  if (end.exitCode === 0) return true
  throw new PackError(`${compiler} could not compile the launcher: ${end.startProblem ?? end.output}`)
}
