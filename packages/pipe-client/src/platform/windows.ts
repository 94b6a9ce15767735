import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { formatVersion, parseVersion } from '@service-link/protocol-core'
import { type Brand, systemProgram } from '@service-link/protocol-core/brand'
import { pause } from '@service-link/protocol-core/time'
import { openRegistry, type RegistryHive } from '@service-link/protocol-core/windows'
import type { InstalledWrapper, PipePlatform } from './pipe-platform.ts'

/**
 * Codes of a connection that the server ended: it disconnected the client (`DisconnectNamedPipe`), as many do after a
 * request, or closed the pipe. A write that fails like this was not read whole. A write that succeeds need not have been
 * read: a small one stays in the pipe's buffer.
 */
const endCodes = new Set(['EPIPE', 'EOF', 'ECONNRESET'])

/** Longest wait for `reg.exe` or `taskkill.exe`, in milliseconds. They take a few dozen. */
const programTimeoutMs = 10_000
/** Longest wait for the end of a process after that, in milliseconds. */
const endTimeoutMs = 1_000

/** Windows: a pipe exists while its process holds it. Opening it shows whether this user may use it, but not whose it is. */
export const windows: PipePlatform = {
  tellsUnread: false,
  meaningOfBreak: ({ code = '', syscall }) => {
    if (!endCodes.has(code)) return 'unknown'
    return syscall === 'write' ? 'unread' : 'ended'
  },

  identifyOwn: address => address,

  /** Windows cannot ask a program without a window to end, and leaves the children of an ended process alone. */
  async endTree(pid, ended) {
    const argv = ['/T', '/F', '/PID', String(pid)]
    // It also fails if the process has ended by itself.
    await runProgram(systemProgram('taskkill.exe'), argv).catch(() => undefined)
    return Promise.race([ended.then(() => true), pause(endTimeoutMs).then(() => false)])
  },

  /** The values of specification 4.2. An installer for all users writes them to the machine's registry. */
  async readRegistered(brand) {
    const found = await Promise.all((['HKCU', 'HKLM'] as const).map(hive => readHive(hive, brand)))
    return found.filter(installed => installed !== undefined)
  },

  // Node does not read access lists.
  assertTrusted: async () => undefined,
}

async function readHive(hive: RegistryHive, brand: Brand): Promise<InstalledWrapper | undefined> {
  const { path, version } = await readValues(hive, brand.registryKey)
  if (!path || !win32.isAbsolute(path)) return undefined
  return { path, version: knownVersion(version), command: [win32.join(path, brand.executable)] }
}

interface RegistryPlace {
  path?: string
  version?: string
}

/** Partners' programs run on Node 22 and 24 too, which lack `node:ffi`: for them `reg.exe` reads, if it may. */
async function readValues(hive: RegistryHive, key: string): Promise<RegistryPlace> {
  const registry = openRegistry()
  if (!registry) return readRegistryExport((await exportKey(`${hive}\\${key}`)) ?? '', process.env)
  try {
    const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
    const texts = [...registry.read(hive, key)].filter(isText)
    return Object.fromEntries(texts.map(([name, text]) => [name.toLowerCase(), text]))
  } catch {
    return {}
  }
}

/** Runs a program without a window and without a shell. */
function runProgram(program: string, argv: readonly string[]): Promise<void> {
  // Not `promisify`: the import of `node:util` alone opens standard output.
  return new Promise((resolve, reject) => {
    const options = { windowsHide: true, timeout: programTimeoutMs }
    // An import would cost each program five milliseconds.
    const { execFile } = process.getBuiltinModule('node:child_process')
    execFile(program, argv, options, error => (error ? reject(error) : resolve()))
  })
}

/** An installer may have written any text. */
function knownVersion(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : formatVersion(parseVersion(text))
  } catch {
    return undefined
  }
}

/**
 * Exports a key of the registry to a file: `reg query` prints in a code page that Node does not read, and the name of a folder
 * may hold any letter.
 *
 * @returns nothing if there is no such key, administrators have switched off the tools, or there is no folder for
 *   temporary files
 */
async function exportKey(key: string): Promise<string | undefined> {
  let folder: string | undefined
  try {
    folder = await mkdtemp(join(tmpdir(), 'service-link-'))
    const file = join(folder, 'key.reg')
    await runProgram(systemProgram('reg.exe'), ['export', key, file, '/y', '/reg:64'])
    return await readFile(file, 'utf16le')
  } catch {
    return undefined
  } finally {
    if (folder !== undefined)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

/** Reads the values `path` and `version` from the output of `reg export` (spec 4.2). Ignores the keys below. */
export function readRegistryExport(text: string, environment: NodeJS.ProcessEnv): RegistryPlace {
  const values: RegistryPlace = {}
  let keys = 0
  // A continued line ends in a backslash. A text cannot: its quote comes last.
  for (const line of text.replaceAll(/\\\r?\n\s*/g, '').split(/\r?\n/)) {
    if (line.startsWith('[')) keys += 1
    if (keys > 1) break
    const [, name = '', written = ''] = /^"((?:[^"\\]|\\.)*)"=(.*)$/.exec(line) ?? []
    const known = name.toLowerCase()
    if (known !== 'path' && known !== 'version') continue
    const value = readText(written, environment)
    if (value !== undefined) values[known] = value
  }
  return values
}

function readText(written: string, environment: NodeJS.ProcessEnv): string | undefined {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(written) ?? []
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1')
  const [, bytes] = /^hex\(2\):([\da-f,]*)$/i.exec(written) ?? []
  if (bytes === undefined) return undefined
  const text = Buffer.from(bytes.replaceAll(',', ''), 'hex').toString('utf16le').replace(/\0+$/, '')
  return text.replaceAll(/%([^%]+)%/g, (whole, name: string) => variableOf(environment, name) ?? whole)
}

/** Windows ignores the case of variables. A copy of the environment does not. */
function variableOf(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const folded = name.toUpperCase()
  return Object.entries(environment).find(([known]) => known.toUpperCase() === folded)?.[1]
}
