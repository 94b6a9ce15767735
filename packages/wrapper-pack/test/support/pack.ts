import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { memoryTerminal } from '@service-link/terminal/testing'
import { runServiceWebwrapperPack } from '../../src/run-service-webwrapper-pack.ts'

const packer = fileURLToPath(new URL('../../src/service-webwrapper-pack.ts', import.meta.url))

/** The packer's result. */
export interface PackEnd {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the packer in this process. */
export async function runPacker(argv: readonly string[]): Promise<PackEnd> {
  const terminal = memoryTerminal()
  const exitCode = await runServiceWebwrapperPack(argv, terminal)
  return { exitCode, stdout: terminal.printed(), stderr: terminal.told() }
}

/** Runs the packer in a separate process. */
export async function runPackerProcess(argv: readonly string[]): Promise<PackEnd> {
  const all = ['-C', '@service-link/source', packer, ...argv]
  return promisify(execFile)(process.execPath, all, { timeout: 150_000 }).then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ exitCode: code, stdout, stderr }),
  )
}

/** Writes a brand file with these members into a folder. */
export async function brandFile(folder: string, content: Readonly<Record<string, unknown>>): Promise<string> {
  const file = join(folder, 'brand.json')
  await writeFile(file, JSON.stringify({ version: '3.1.0.0', ...content }))
  return file
}

/** Why this Node cannot be packed here, if it cannot. */
export const cannotPack =
  process.platform !== 'linux' || process.arch !== 'x64'
    ? 'what is packed here is started, and only executables for Linux x64 are'
    : Number(process.versions.node.split('.')[0]) < 26
      ? 'Node 26 or newer is packed'
      : undefined

/** Arguments that pack this process's Node for this machine, without a download. */
export const packHere = [
  ...['--platform', 'linux-x64', '--json'],
  ...['--node', process.execPath, '--node-version', process.versions.node],
]

/** Packs this process's Node; returns the executable's absolute path. */
export async function packForHere(file: string, output: string): Promise<string> {
  const end = await runPacker([file, '--output', output, ...packHere])
  if (end.exitCode !== 0) throw new Error(end.stderr)
  const [made] = JSON.parse(end.stdout)
  return made.executable
}
