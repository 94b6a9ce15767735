import type { SigningKeySource } from '@service-link/jwt-payload'
import type { PartnerRegistration } from '@service-link/jwt-payload/receiver'
import { z } from 'zod'

/** A partner's key pair: one half signs here, the other is what the service is told. */
export interface PartnerKey {
  readonly partnerId: string
  /** Value of `iss` in its tokens. */
  readonly issuer: string
  readonly signing: SigningKeySource
  /** To be given to the service. */
  readonly registration: PartnerRegistration
}

/** Options of {@link createPartnerKey}. */
export interface CreatePartnerKeyOptions {
  /** The service's identifier of the partner. Default `nordlys-journal`. */
  readonly partnerId?: string
  /** What people read. Default `Nordlys Journal`. */
  readonly name?: string
}

const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
})
const privateJwkSchema = publicJwkSchema.extend({ d: z.string() })

/** Generates an ES256 key pair for a partner. The private half stays in memory. */
export async function createPartnerKey(options: CreatePartnerKeyOptions = {}): Promise<PartnerKey> {
  const { partnerId = 'nordlys-journal', name = 'Nordlys Journal' } = options
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const kid = `${partnerId}-${crypto.randomUUID()}`
  const privateJwk = privateJwkSchema.parse(await crypto.subtle.exportKey('jwk', pair.privateKey))
  const publicJwk = publicJwkSchema.parse(await crypto.subtle.exportKey('jwk', pair.publicKey))
  const issuer = `https://${partnerId}.example`
  return {
    partnerId,
    issuer,
    signing: { kind: 'jwk', kid, jwk: privateJwk },
    registration: { id: partnerId, name, issuer, keys: [{ kind: 'jwk', kid, jwk: publicJwk }] },
  }
}
