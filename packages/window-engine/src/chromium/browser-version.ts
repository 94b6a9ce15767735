import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import type { WindowPlatform } from '../platform/window-platform.ts'

const askMs = 10_000

/**
 * Name and version of a browser, for people.
 *
 * @returns such as `Chromium 156.0.8078.79`, or the file's name when it does not say
 */
export async function describeBrowser(
  executable: string,
  platform: WindowPlatform,
  signal?: AbortSignal,
): Promise<string> {
  const name = basename(executable).replace(/\.exe$/i, '')
  try {
    if (platform.versionSource === 'folder') {
      const version = (await readdir(dirname(executable)))
        .filter(entry => /^\d+(\.\d+){3}$/.test(entry))
        .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
        .at(-1)
      return version ? `${name} ${version}` : name
    }
    const options = { timeout: askMs, maxBuffer: 64 * 1024, ...(signal ? { signal } : {}) }
    const { stdout } = await promisify(execFile)(executable, ['--version'], options)
    return /^[\w .()-]*?\d+(?:\.\d+){1,3}/.exec(stdout.trim())?.[0] ?? name
  } catch {
    signal?.throwIfAborted()
    return name
  }
}
