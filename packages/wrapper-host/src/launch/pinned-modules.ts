import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as sea from 'node:sea'

/** Asset of a packed executable: JSON, file name in the folder `providers` → {@link digestOf}. */
export const pinsAsset = 'providers.json'

/** SHA-256 of a file's content, in hexadecimal digits. */
export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Why a module does not run in a packed executable. */
type PinFault = 'added' | 'changed'

/**
 * Compares a module with the one that was packed. The executable holds its digest, so nobody who may write to the folder, or start
 * the executable elsewhere, brings in code.
 *
 * @returns nothing if it is the same, or this is no packed executable
 */
export async function findPinFault(name: string, file: string): Promise<PinFault | undefined> {
  // Node without a list of assets makes no packed executable.
  if (!sea.isSea() || !sea.getAssetKeys().includes(pinsAsset)) return undefined
  const pins: Readonly<Record<string, string>> = JSON.parse(sea.getAsset(pinsAsset, 'utf8'))
  if (!Object.hasOwn(pins, name)) return 'added'
  return digestOf(await readFile(file)) === pins[name] ? undefined : 'changed'
}
