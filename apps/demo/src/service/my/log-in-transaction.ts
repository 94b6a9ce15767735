import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { z } from 'zod'
import type { Database } from '../database/tables.ts'

/** How long a log-in may take, in seconds. */
export const transactionSeconds = 10 * 60

/** Cookie that keeps a log-in between leaving for the issuer and coming back. */
export const transactionCookie = '__Host-my-log-in'

const transactionSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** When it was begun, in seconds since 1970. */
  startedAt: z.int(),
})

/** What must fit when the visitor comes back from the issuer. */
export type LogInTransaction = z.output<typeof transactionSchema>

/** Seals and opens transactions; every process with the same secret opens what another one sealed. */
export interface TransactionSeal {
  /** @returns the cookie's value: encrypted, so that nobody but the service reads or changes it */
  seal(transaction: LogInTransaction): Promise<string>
  /** @returns `undefined` for what the service did not seal, or over ten minutes ago */
  open(sealed: string | undefined): Promise<LogInTransaction | undefined>
}

/**
 * Makes the seal of the log-in's cookies.
 *
 * @param secret the service's key of cookies; a key of its own is derived from it
 * @param now the present moment
 */
export function transactionSeal(secret: string, now: () => Date = () => new Date()): TransactionSeal {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'consumer log-in transaction', 32))
  const audience = 'consumer-log-in'
  return {
    seal: transaction =>
      new EncryptJWT(transaction)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(Math.floor(now().getTime() / 1000) + transactionSeconds)
        .encrypt(key),
    async open(sealed) {
      if (sealed === undefined) return undefined
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          audience,
          currentDate: now(),
          requiredClaims: ['exp'],
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        })
        return transactionSchema.safeParse(payload).data
      } catch {
        return undefined
      }
    },
  }
}

/**
 * Uses a log-in's transaction up, for all processes on the database and for as long as its cookie could be sent: a copy of the
 * cookie is worth nothing once its owner has come back.
 *
 * @returns `false` when it was used before
 */
export async function useTransaction(
  database: Database,
  { state, startedAt }: LogInTransaction,
): Promise<boolean> {
  const taken = await database
    .insertInto('used_tokens')
    .values({
      token_key: `consumer-log-in:${state}`,
      expires_at: (startedAt + transactionSeconds + 60) * 1000,
      request_id: crypto.randomUUID(),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('token_key')
    .executeTakeFirst()
  return taken !== undefined
}
