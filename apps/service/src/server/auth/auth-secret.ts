import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineError } from '@service-link/protocol-core/errors'

/** Fewest characters of a key. The log-in library replaces an empty key by a public default. */
export const minSecretLength = 32

/** The stored key that signs cookies cannot be used. The message does not contain it. */
class AuthSecretError extends defineError('ERR_AUTH_SECRET') {}

/** Reads the key that signs cookies from the data folder. The first start makes it, readable by its owner only. */
export function readAuthSecret(folder: string): string {
  const path = join(folder, 'auth-secret')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) makeSecret(path)
  const secret = readFileSync(path, 'utf8')
  if (secret.length >= minSecretLength) return secret
  throw new AuthSecretError(
    `The file auth-secret in the data folder, the key that signs the cookies of sessions, has fewer than ${minSecretLength} characters. ` +
      'Delete it and start again: a new key is made, and everybody signs in anew.',
  )
}

/** Writes a new key atomically. If several processes start at once, the first key stays. */
function makeSecret(path: string): void {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
