import { importPartner, type PartnerRegistration } from '@service-link/jwt-payload/receiver'
import * as z from 'zod'

/** Replaces the partners of the service. */
export type ReplacePartners = (registrations: readonly PartnerRegistration[]) => Promise<void>

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
})

type HourRegistration = z.output<typeof hourRegistrationSchema>

/** Partners that a service knows for an hour, beside the journal. They end with the process too. */
export function createHourRegistrations(
  journal: PartnerRegistration,
  replace: ReplacePartners,
  clock: () => number = Date.now,
) {
  let present: readonly { readonly registration: PartnerRegistration; readonly endsAt: number }[] = []
  let last = Promise.resolve()
  const timers = new Set<NodeJS.Timeout>()

  /** Changes run one after the other: each replaces all partners. */
  const put = (change: (now: typeof present) => typeof present): Promise<void> => {
    const run = last.then(async () => {
      const next = change(present).filter(({ endsAt }) => endsAt > clock())
      await replace([journal, ...next.map(({ registration }) => registration)])
      present = next
    })
    last = run.catch(() => undefined)
    return run
  }

  return {
    /** @throws what the service says of a key that it cannot use; the former partners stay */
    async add(asked: HourRegistration) {
      const registration = registrationOf(asked, journal.frameOrigins ?? [])
      const [key] = (await importPartner(registration)).keys
      const endsAt = clock() + hourMs
      await put(now =>
        [
          ...now.filter(other => other.registration.issuer !== registration.issuer),
          { registration, endsAt },
        ].slice(-maxRegistrations),
      )
      const timer = setTimeout(() => {
        timers.delete(timer)
        put(now => now).catch(() => undefined)
      }, hourMs + 1000).unref()
      timers.add(timer)
      return {
        issuer: registration.issuer ?? '',
        kid: key?.keyId ?? key?.thumbprint,
        endsAt: new Date(endsAt).toISOString(),
      }
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

function registrationOf(
  { key, kid, issuer, isActive, maxPostsPerMinute }: HourRegistration,
  frameOrigins: readonly string[],
): PartnerRegistration {
  const id = `launcher-${crypto.randomUUID().slice(0, 8)}`
  return {
    id,
    name: 'A partner of the launcher',
    issuer: issuer || `https://${id}.example`,
    isActive,
    maxPostsPerMinute,
    frameOrigins: [...frameOrigins],
    keys: [{ ...keyOf(key), ...(kid === '' ? {} : { kid }) }],
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
