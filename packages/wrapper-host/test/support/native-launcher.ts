import { execFile } from 'node:child_process'
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defineBrand } from '@service-link/protocol-core'
import { hastyFlags } from '@service-link/test-kit/hasty-launcher'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
// @boundaries-ignore: the launcher hands over to the wrapper of this package
import {
  brandLauncher,
  compileLauncher,
  errorIndexFlag,
} from '../../../wrapper-pack/src/executable/launcher.ts'
// @boundaries-ignore: the launcher hands over to the wrapper of this package
import { packTargets } from '../../../wrapper-pack/src/pack-plan.ts'

const isWindows = process.platform === 'win32'

/** Folder of launchers that the host has compiled for Wine. */
const compiled = process.env.SERVICE_TEST_LAUNCHERS

const isForHere = process.platform === 'linux' && process.arch === 'x64'

/** Whether this machine has the launcher. CI must have it. */
export const hasLauncher =
  compiled !== undefined || (isForHere && (Boolean(process.env.CI) || isInstalled('musl-gcc')))

if (!hasLauncher) console.warn('The native launcher is not tested: its compiler is not installed.')

/** The last is for Linux alone: it ends with exit code 1 when it uses memory wrongly, or arithmetic that C does not define. */
type LauncherName = 'launcher' | 'hasty-launcher' | 'checked-launcher'
const launchers = new Map<LauncherName, Promise<Uint8Array>>()

const checking = [
  '-D_GNU_SOURCE',
  errorIndexFlag,
  '-g',
  '-fsanitize=address,undefined',
  '-fno-sanitize-recover=all',
]
const sources = ['json.c', 'launcher.c', 'posix.c'].map(name =>
  fileURLToPath(new URL(`../../../wrapper-pack/launcher/${name}`, import.meta.url)),
)

async function compile(name: LauncherName): Promise<Uint8Array> {
  if (compiled !== undefined) return readFile(join(compiled, `${name}.exe`))
  await using folder = await temporaryFolder()
  const file = join(folder.path, name)
  const flags = name === 'hasty-launcher' ? hastyFlags : []
  if (name === 'checked-launcher') await promisify(execFile)('gcc', [...checking, ...sources, '-o', file])
  else await compileLauncher(packTargets['linux-x64'], file, flags)
  return await readFile(file)
}

/** The end of a launcher. */
export interface LauncherEnd {
  readonly exitCode: number
  /** Output of the executable. The launcher itself writes errors alone. */
  readonly stdout: string
  readonly stderr: string
}

/**
 * Puts a launcher into a folder.
 *
 * @returns its absolute path
 */
export async function placeLauncher(
  folder: string,
  application: string,
  name: LauncherName = 'launcher',
): Promise<string> {
  const launcher = launchers.get(name) ?? compile(name)
  launchers.set(name, launcher)
  const file = join(folder, isWindows ? `${name}.exe` : name)
  await writeFile(file, brandLauncher(await launcher, defineBrand({ application })), { mode: 0o755 })
  return file
}

/** Puts this process's Node into a folder as the executable that the folder's launchers start. */
export async function placeNode(folder: string, application: string): Promise<void> {
  const { executable } = packTargets[isWindows ? 'win-x64' : 'linux-x64']
  const file = join(folder, executable(defineBrand({ application })))
  // A running executable of Windows cannot be removed by another of its names.
  if (isWindows) await copyFile(process.execPath, file)
  else await symlink(process.execPath, file)
}

/** Runs a launcher to its end. */
export async function runLauncher(
  file: string,
  argv: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Promise<LauncherEnd> {
  return promisify(execFile)(file, argv, options).then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ exitCode: code, stdout, stderr }),
  )
}
