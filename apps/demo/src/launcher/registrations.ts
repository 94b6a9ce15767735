import { importPartner, type PartnerRegistration } from '@service-link/receiver'
import * as z from 'zod'

/** Replaces the partners of the service. */
export type ReplacePartners = (registrations: readonly PartnerRegistration[]) => Promise<void>

export type Registrations = ReturnType<typeof createRegistrations>

/** A name in a token, as the service can keep it: PostgreSQL keeps no U+0000, and no UTF-8 half a character. */
const nameSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must have no control or half character')

export const registrationSchema = z.object({
  /** PEM of a public key or certificate, a JSON Web Key, the address of a key set, or a shared secret. */
  key: z.string().trim().min(1),
  kid: nameSchema(256),
  issuer: nameSchema(1024),
  isActive: z.boolean(),
  maxPostsPerMinute: z.int().min(1).max(1_000_000),
  repeatable: z.boolean(),
})

/** Partners that a service knows beside the journal until the demo ends. */
export function createRegistrations(journal: PartnerRegistration, replace: ReplacePartners) {
  let all: readonly PartnerRegistration[] = [journal]
  let last: Promise<unknown> = Promise.resolve()
  return {
    /**
     * Registers a partner. It takes the place of the one with its issuer, unless that is the journal.
     *
     * @returns the names to sign with
     * @throws what the service says of a key that it cannot use, or of the journal's issuer
     */
    async add({ key, kid: wantedKid, issuer: wantedIssuer, ...others }: z.output<typeof registrationSchema>) {
      const id = `launcher-${crypto.randomUUID().slice(0, 8)}`
      const issuer = wantedIssuer || `https://${id}.example`
      const registration: PartnerRegistration = {
        ...others,
        id,
        name: 'A partner of the launcher',
        issuer,
        policy: others.repeatable ? 'lenient' : 'strict',
        frameOrigins: journal.frameOrigins,
        keys: [{ ...keyOf(key), ...(wantedKid === '' ? {} : { kid: wantedKid }) }],
      }
      const [imported] = (await importPartner(registration)).keys
      const added = last.then(async () => {
        const next = [...all.filter(one => one === journal || one.issuer !== issuer), registration]
        await replace(next)
        all = next
      })
      last = added.catch(() => undefined)
      await added
      return { issuer, kid: imported?.keyId ?? imported?.thumbprint }
    },
  }
}

function keyOf(text: string): PartnerRegistration['keys'][number] {
  if (text.startsWith('-----BEGIN'))
    return { kind: text.includes('BEGIN CERTIFICATE') ? 'x509' : 'spki', pem: text }
  if (/^https?:\/\//.test(text)) return { kind: 'jwks', url: text }
  if (text.startsWith('{'))
    return { kind: 'jwk', jwk: z.looseObject({ kty: z.string() }).parse(JSON.parse(text)) }
  return { kind: 'secret', secret: text }
}
