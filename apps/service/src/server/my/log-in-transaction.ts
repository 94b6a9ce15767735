import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import * as z from 'zod'
import type { Database } from '../database/tables.ts'

export const transactionSeconds = 10 * 60

export const transactionCookie = '__Host-my-log-in'

const transactionSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** Start of the log-in, in seconds since 1970. */
  startedAt: z.int(),
})

export type LogInTransaction = z.output<typeof transactionSchema>

/** Makes the seal of log-in cookies, with a key derived from the service's own. */
export function transactionSeal(secret: string, now: () => Date = () => new Date()) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'consumer log-in transaction', 32))
  const audience = 'consumer-log-in'
  return {
    /** The encrypted value of the cookie. All processes with the same secret can open it. */
    seal: (transaction: LogInTransaction) =>
      new EncryptJWT(transaction)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(Math.floor(now().getTime() / 1000) + transactionSeconds)
        .encrypt(key),
    /** `undefined` for a value that the service did not seal, or over ten minutes ago. */
    async open(sealed: string | undefined): Promise<LogInTransaction | undefined> {
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
 * Marks a log-in as used until its cookie expires, so that a copied cookie is useless; `false` if it was used before.
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
