import { copyFile, readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Brand } from '@service-link/protocol-core'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import { PackError, type PackTarget } from '../pack-plan.ts'
import { runTool } from '../run-tool.ts'

/** The line in a launcher behind which its brand's names have room. */
const brandLine = 'wrapper-pack: the names of the brand follow here\n'

interface Launcher {
  readonly program: Uint8Array
  /** Title and license of the C library that is linked into it, for `licenses.txt`. */
  readonly license: string
}

/**
 * Loads a platform's launcher as this package was built. From sources it builds the launcher.
 *
 * @param workFolder empty folder for temporary files, absolute path
 * @returns nothing if this package was built without the platform's compiler
 */
export async function loadLauncher(
  target: PackTarget,
  workFolder: string,
  signal?: AbortSignal,
): Promise<Launcher | undefined> {
  const isSource = import.meta.filename.endsWith('.ts')
  const ofPackage = new URL('dist/launcher/', import.meta.resolve('@service-link/wrapper-pack/package.json'))
  const folder = isSource ? pathToFileURL(`${workFolder}/`) : ofPackage
  if (isSource) await buildLauncher(target, folder, signal)
  const program = await readFile(new URL(launcherFile(target), folder)).catch(() => undefined)
  return program && { program, license: await readFile(new URL(licenseFile(target), folder), 'utf8') }
}

/**
 * Builds a platform's launcher, with its license beside it.
 *
 * @param folder URL with a slash at its end
 * @returns whether the platform's compiler is installed
 */
export async function buildLauncher(target: PackTarget, folder: URL, signal?: AbortSignal): Promise<boolean> {
  const license = licenseFile(target)
  await copyFile(sourceFile(license), new URL(license, folder))
  return compileLauncher(target, fileURLToPath(new URL(launcherFile(target), folder)), [], signal)
}

/** A compiler for Windows adds a missing `.exe`. */
const launcherFile = ({ platform, isWindows }: PackTarget) => (isWindows ? `${platform}.exe` : platform)
const licenseFile = ({ platform }: PackTarget) => `${platform}.txt`
const sourceFile = (name: string) => fileURLToPath(new URL(`../../launcher/${name}`, import.meta.url))

/** Writes a brand's names into a launcher. */
export function brandLauncher(launcher: Uint8Array, { vendor, application }: Brand): Uint8Array {
  const branded = Buffer.from(launcher)
  const at = branded.indexOf(brandLine)
  if (at === -1) throw new PackError('The launcher has no room for names. Install this package again.')
  branded.write(`${vendor}\0${application}\0`, at + brandLine.length)
  return branded
}

const compileTimeoutMs = 60_000

const checks = ['-std=c11', '-Wall', '-Wextra', '-Wconversion', '-Werror', '-pedantic']
const protection = ['-fstack-protector-strong', '-D_FORTIFY_SOURCE=2']

/** The definition that every build needs: the beginning of an address in the error index. */
export const errorIndexFlag = `-DERROR_INDEX="${docsUrlOf('')}"`

/** Linked whole with musl, it runs on each release of Linux. musl's own compiler knows no programs that are static and movable. */
const forLinux = [
  ...['-D_GNU_SOURCE', '-fPIE', '-static', '-nostartfiles', '-l:rcrt1.o', '-Wl,--build-id=none'],
  '-Wl,-pie,--no-dynamic-linker,-z,relro,-z,now,-z,noexecstack',
]
/** It uses Windows's own C library. */
const forWindows = [
  ...['-D__USE_MINGW_ANSI_STDIO=0', '-mwindows', '-static', '-Wl,--no-insert-timestamp'],
  '-Wl,--dynamicbase,--nxcompat,--high-entropy-va',
]

/**
 * Compiles a platform's launcher.
 *
 * @param flags further ones of the compiler
 * @returns whether the platform's compiler is installed
 */
export async function compileLauncher(
  { isWindows }: PackTarget,
  output: string,
  flags: readonly string[] = [],
  signal?: AbortSignal,
): Promise<boolean> {
  const isForHere = process.platform === 'linux' && process.arch === 'x64'
  const forLinuxX64 = isForHere ? 'musl-gcc' : 'x86_64-linux-musl-gcc'
  const compiler = isWindows ? 'x86_64-w64-mingw32-gcc' : forLinuxX64
  const sources = ['json.c', 'launcher.c', isWindows ? 'windows.c' : 'posix.c'].map(sourceFile)
  const libraries = isWindows ? ['-luserenv'] : []
  const options = [
    '-Os',
    '-s',
    errorIndexFlag,
    ...checks,
    ...protection,
    ...(isWindows ? forWindows : forLinux),
    ...flags,
  ]
  const argv = [...options, ...sources, '-o', output, ...libraries]
  const end = await runTool(compiler, argv, { timeoutMs: compileTimeoutMs, signal })
  if (end.startProblem === 'ENOENT') return false
  if (end.exitCode === 0) return true
  throw new PackError(`${compiler} could not compile the launcher: ${end.startProblem ?? end.output}`)
}
