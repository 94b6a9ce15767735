import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  compareVersions,
  type FourPartVersion,
  formatVersion,
  parseVersion,
  VersionError,
} from '@service-link/protocol-core'
import { ConfigFileError } from './config-file-error.ts'
import { type ConfigFile, readConfigFile } from './read-config-file.ts'
import { decodeConfigText, readConfigBytes } from './read-config-text.ts'

/** A user's settings as another version has left them. */
export interface OlderSettings {
  readonly version: string
  readonly file: string
  readonly text: string
  readonly content: ConfigFile
}

/**
 * Finds the `user.config` of the newest version that is older than this one, in its folder in the user folder. Versions that
 * have none, or a damaged one, are passed over. Touches nothing.
 *
 * @param version this version, four parts
 */
export async function findOlderSettings(
  userFolder: string,
  version: string,
): Promise<OlderSettings | undefined> {
  const own = parseVersion(version)
  const older = (await listVersions(userFolder))
    .filter(({ parts }) => compareVersions(parts, own) < 0)
    .sort((a, b) => compareVersions(b.parts, a.parts))
  for (const { folder, parts } of older) {
    const file = join(userFolder, folder, 'user.config')
    const found = await readIfSound(file)
    if (found) return { ...found, version: formatVersion(parts), file }
  }
  return undefined
}

async function listVersions(
  userFolder: string,
): Promise<readonly { readonly folder: string; readonly parts: FourPartVersion }[]> {
  // A folder that is not there or cannot be read has nothing to take over; writing to it tells what is wrong.
  const entries = await readdir(userFolder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap(entry => {
    const parts = entry.isDirectory() ? versionOf(entry.name) : undefined
    return parts ? [{ folder: entry.name, parts }] : []
  })
}

function versionOf(folder: string): FourPartVersion | undefined {
  try {
    return folder === folder.trim() ? parseVersion(folder) : undefined
  } catch (error) {
    if (error instanceof VersionError) return undefined
    throw error
  }
}

async function readIfSound(file: string): Promise<Pick<OlderSettings, 'text' | 'content'> | undefined> {
  try {
    const bytes = await readConfigBytes(file)
    if (!bytes) return undefined
    const text = decodeConfigText(bytes, file)
    return { text, content: readConfigFile(text, file) }
  } catch (error) {
    if (error instanceof ConfigFileError) return undefined
    throw error
  }
}
