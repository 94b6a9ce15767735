import { importPartner, type PartnerRegistration } from '@service-link/jwt-payload/receiver'
import * as z from 'zod'

/** Replaces the partners of the service. */
export type ReplacePartners = (registrations: readonly PartnerRegistration[]) => Promise<void>

export type HourRegistrations = ReturnType<typeof createHourRegistrations>

const hourMs = 60 * 60 * 1000

/** Most registrations at once; a further one takes the place of the oldest. */
const maxRegistrations = 20

export const hourRegistrationSchema = z.object({
  /** PEM of a public key or certificate, a JSON Web Key, the address of a key set, or a shared secret. */
  key: z.string().trim().min(1),
  kid: z.string().max(256),
  issuer: z.string().max(1024),
  isActive: z.boolean(),
  maxPostsPerMinute: z.int().min(1).max(1_000_000),
  repeatable: z.boolean(),
})

/** Partners that a service knows for an hour, beside the journal. They end with the process too. */
export function createHourRegistrations(journal: PartnerRegistration, replace: ReplacePartners) {
  let present: readonly { readonly registration: PartnerRegistration; readonly endsAt: number }[] = []
  let last = Promise.resolve()

  /** Changes run one after the other: each replaces all partners. */
  const change = (added: typeof present): Promise<void> => {
    const run = last.then(async () => {
      const issuers = added.map(({ registration }) => registration.issuer)
      const kept = present.filter(
        ({ registration, endsAt }) => endsAt > Date.now() && !issuers.includes(registration.issuer),
      )
      const next = [...kept, ...added].slice(-maxRegistrations)
      await replace([journal, ...next.map(({ registration }) => registration)])
      present = next
    })
    last = run.catch(() => undefined)
    return run
  }

  return {
    /** @throws what the service says of a key that it cannot use; the former partners stay */
    async add({ key: text, kid, issuer: asked, ...others }: z.output<typeof hourRegistrationSchema>) {
      const id = `launcher-${crypto.randomUUID().slice(0, 8)}`
      const issuer = asked || `https://${id}.example`
      const registration: PartnerRegistration = {
        ...others,
        id,
        name: 'A partner of the launcher',
        issuer,
        policy: others.repeatable ? 'lenient' : 'strict',
        frameOrigins: journal.frameOrigins,
        keys: [{ ...keyOf(text), ...(kid === '' ? {} : { kid }) }],
      }
      const [key] = (await importPartner(registration)).keys
      const endsAt = Date.now() + hourMs
      await change([{ registration, endsAt }])
      setTimeout(() => void change([]).catch(() => undefined), hourMs + 1000).unref()
      return { issuer, kid: key?.keyId ?? key?.thumbprint, endsAt: new Date(endsAt).toISOString() }
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
