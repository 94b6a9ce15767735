import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { formatVersion, parseVersion } from '@service-link/protocol-core'
import { systemProgram } from '@service-link/protocol-core/brand'
import { runProgram } from '../../platform/run-program.ts'
import { readRegistryExport } from '../read-registry-export.ts'
import type { LocatePlatform } from './locate-platform.ts'

/** Longest wait for `reg.exe`, in milliseconds; it takes a few dozen. */
const registryTimeoutMs = 10_000

/**
 * Windows: values of the current user's registry (specification 4.2). They are exported to a file, since what `reg query` prints
 * is in a code page that Node does not read, and a folder can have a person's name. The key is this user's own. Who else may write to
 * the folder that it names is not looked at: Node does not read access lists.
 */
export const windowsLocate: LocatePlatform = {
  async readRegistered(brand, environment) {
    const text = await exportKey(`HKCU\\${brand.registryKey}`, environment)
    const { path, version } = text === undefined ? {} : readRegistryExport(text, environment)
    if (!path || !win32.isAbsolute(path)) return undefined
    return { path, version: knownVersion(version), command: [win32.join(path, brand.executable)] }
  },

  assertTrusted: async () => undefined,
}

/** What an installer has written need not be a version. */
function knownVersion(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : formatVersion(parseVersion(text))
  } catch {
    return undefined
  }
}

/**
 * Nothing when the key is not there, administrators have switched tools for the registry off, or there is no folder for
 * temporary files.
 */
async function exportKey(key: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  let folder: string | undefined
  try {
    folder = await mkdtemp(join(tmpdir(), 'service-link-'))
    const file = join(folder, 'key.reg')
    await runProgram(systemProgram('reg.exe', environment), ['export', key, file, '/y'], registryTimeoutMs)
    return await readFile(file, 'utf16le')
  } catch {
    return undefined
  } finally {
    if (folder !== undefined)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}
