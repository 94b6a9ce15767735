import type { SigningKeySource } from '@service-link/jwt-payload'
import type { PartnerRegistration } from '@service-link/receiver'
import { exportJWK, generateKeyPair } from 'jose'
import * as z from 'zod'

/** A partner's key pair: the private half to sign, the public half for the service. */
export interface PartnerKey {
  readonly partnerId: string
  readonly issuer: string
  readonly signing: SigningKeySource
  readonly publicKey: z.output<typeof jwkSchema>
  readonly registration: PartnerRegistration
}

const jwkSchema = z.looseObject({ kty: z.string() })

/** Generates an ES256 key pair for a partner. The private half stays in memory. */
export async function createPartnerKey(
  partnerId = 'nordlys-journal',
  name = 'Nordlys Journal',
): Promise<PartnerKey> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const publicKey = jwkSchema.parse(await exportJWK(pair.publicKey))
  const kid = `${partnerId}-${crypto.randomUUID()}`
  const issuer = `https://${partnerId}.example`
  return {
    partnerId,
    issuer,
    publicKey,
    signing: { kind: 'jwk', kid, jwk: jwkSchema.parse(await exportJWK(pair.privateKey)) },
    registration: {
      id: partnerId,
      name,
      issuer,
      keys: [{ kind: 'jwk', kid, jwk: publicKey }],
    },
  }
}
