import { hkdfSync } from 'node:crypto'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { CompactEncrypt, compactDecrypt } from 'jose'

/** A partner's stored secret cannot be read: the service's own key is another one now, or the row was changed. */
export class SealedSecretError extends ServiceLinkError<'ERR_SEALED_SECRET'> {
  readonly code = 'ERR_SEALED_SECRET'

  constructor() {
    super('A stored secret of the partner cannot be read: it was sealed with another key of the service.')
  }
}

/** Keeps partners' secrets from being read out of the database. */
export interface SecretSealer {
  /** Encrypts a secret for the partner's row; the same secret looks different each time. */
  seal(partnerId: string, secret: string): Promise<string>
  /** @throws {SealedSecretError} when it was sealed with another key, or for another partner */
  unseal(partnerId: string, sealed: string): Promise<string>
}

/**
 * Seals with AES-256-GCM (JWE, `dir`) under a key derived by HKDF from the service's own.
 *
 * @param authSecret key of the cookies' signatures, the same for all processes on one database
 */
export function createSecretSealer(authSecret: string): SecretSealer {
  const key = new Uint8Array(hkdfSync('sha256', authSecret, '', 'service-link: secrets of partners', 32))
  return {
    seal: (partnerId, secret) =>
      new CompactEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', partner: partnerId })
        .encrypt(key),
    async unseal(partnerId, sealed) {
      const opened = await compactDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      }).catch(() => undefined)
      if (opened?.protectedHeader.partner !== partnerId) throw new SealedSecretError()
      return new TextDecoder().decode(opened.plaintext)
    },
  }
}
