import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Brand } from '@service-link/protocol-core'
import { replaceFile } from '../settings/replace-file.ts'

/** The settings for everybody as an installer delivers them, beside those that count. */
export function deliveredSettings(brand: Brand): string {
  return `${brand.configFile}.default`
}

/**
 * Makes the settings for everybody of those that an installer has delivered: where there are none yet, and where those that are there
 * are the ones that the last installer had delivered. Settings that somebody has changed stay as they are.
 *
 * @param folder of the installation, absolute
 * @param deliveredBefore SHA-256, in hexadecimal digits, of what the last installer had delivered; nothing for a first installation
 * @throws the file system's error when nothing was delivered, or the settings cannot be read or written; they are as they were
 */
export async function settleSettings(
  brand: Brand,
  folder: string,
  deliveredBefore: string | undefined,
): Promise<void> {
  const file = join(folder, brand.configFile)
  const delivered = await readFile(join(folder, deliveredSettings(brand)))
  const current = await readFile(file).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const isChanged = current && hashOf(current) !== deliveredBefore?.toLowerCase()
  if (!isChanged) await replaceFile(file, delivered)
}

/** Removes the settings for everybody where an installer has delivered them. Never rejects. */
export async function removeSettings(brand: Brand, folder: string): Promise<void> {
  const isInstalled = await readFile(join(folder, deliveredSettings(brand))).then(
    () => true,
    () => false,
  )
  if (isInstalled)
    await rm(join(folder, brand.configFile), { force: true, maxRetries: 5 }).catch(() => undefined)
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
