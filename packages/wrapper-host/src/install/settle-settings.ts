import { createHash } from 'node:crypto'
import { access, readFile, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { Brand } from '@service-link/protocol-core'
import { replaceFile } from '../files/replace-file.ts'
import { deliveredSettings } from '../settings/wrapper-folders.ts'

/** What the last installer has left; neither is there at a first installation. */
export interface FormerSettings {
  /** Folder that it installed into; taken for none unless it is absolute. */
  readonly folder?: string | undefined
  /** SHA-256 of what it had delivered; taken for none unless it is 64 hexadecimal digits. */
  readonly delivered?: string | undefined
}

/**
 * Makes the settings for everybody of those that an installer has delivered: where there are none yet, and where those that are there
 * are the ones that the last installer had delivered. Settings that somebody has changed stay as they are.
 *
 * Where the wrapper moves, changed ones come along from the former folder, unless the new one has settings already; what is no longer
 * needed there goes, and with it the folder and the vendor's, when they are empty.
 *
 * @param folder of the installation, absolute
 * @throws the file system's error when nothing was delivered, or the settings cannot be read or written; they are as they were
 */
export async function settleSettings(
  brand: Brand,
  folder: string,
  former: FormerSettings = {},
): Promise<void> {
  const file = join(folder, brand.configFile)
  const delivered = await readFile(join(folder, deliveredSettings(brand)))
  const left = await findLeft(brand, former.folder)
  const current = await readIfThere(file)
  const isChanged = (settings: Uint8Array) => hashOf(settings) !== former.delivered?.toLowerCase()
  const own = [current, left?.content].find(settings => settings && isChanged(settings))
  if (!own || own !== current) await replaceFile(file, own ?? delivered)
  // What somebody has changed, and was not taken over, is not ours to remove.
  if (left && (!isChanged(left.content) || own === left.content)) await removeLeft(brand, left.file)
}

/**
 * Removes the settings for everybody where they are as an installer has delivered them; those that somebody has changed, or put there
 * beforehand, stay. Never rejects.
 */
export async function removeSettings(brand: Brand, folder: string): Promise<void> {
  const file = join(folder, brand.configFile)
  const [delivered, current] = await Promise.all(
    [join(folder, deliveredSettings(brand)), file].map(path => readFile(path).catch(() => undefined)),
  )
  if (delivered && current?.equals(delivered))
    await rm(file, { force: true, maxRetries: 5 }).catch(() => undefined)
}

/** The settings of a former folder from which the wrapper was removed: where it still is, as where it has not moved, they are its own. */
async function findLeft(brand: Brand, folder: string | undefined) {
  if (folder === undefined || !isAbsolute(folder)) return undefined
  const isInstalled = await access(join(folder, deliveredSettings(brand))).then(
    () => true,
    () => false,
  )
  const file = join(folder, brand.configFile)
  const content = isInstalled ? undefined : await readIfThere(file)
  return content && { file, content }
}

async function removeLeft(brand: Brand, file: string): Promise<void> {
  const folder = dirname(file)
  const vendor = dirname(folder)
  try {
    await rm(file, { force: true, maxRetries: 5 })
    // Only empty ones go.
    await rmdir(folder)
    if (basename(vendor) === brand.vendor) await rmdir(vendor)
  } catch {
    // They stay, and harm nobody.
  }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
