import { importPartner, type Partner, type PartnerRegistration } from '@service-link/receiver'
import * as z from 'zod'

/** Replaces the partners of the service. */
export type ReplacePartners = (registrations: readonly PartnerRegistration[]) => Promise<void>

export type HourRegistrations = ReturnType<typeof createHourRegistrations>

const hourMs = 60 * 60 * 1000

/** Most registrations at once. */
const maxRegistrations = 20

/** A registration that is refused; its sentence is for the launcher's user. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused'
}

/** A name in a token, as the service can keep it: PostgreSQL keeps no U+0000, and no UTF-8 half a character. */
const nameSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must have no control or half character')

export const hourRegistrationSchema = z.object({
  /** PEM of a public key or certificate, a JSON Web Key, the address of a key set, or a shared secret. */
  key: z.string().trim().min(1),
  kid: nameSchema(256),
  issuer: nameSchema(1024),
  isActive: z.boolean(),
  maxPostsPerMinute: z.int().min(1).max(1_000_000),
  repeatable: z.boolean(),
})

/** Partners that a service knows for an hour, beside the journal. They end with the process too. */
export function createHourRegistrations(
  journal: PartnerRegistration,
  replace: ReplacePartners,
  clock: () => number = Date.now,
) {
  interface Present {
    readonly asked: string
    readonly registration: PartnerRegistration
    readonly key: Partner['keys'][number] | undefined
    readonly told: { readonly issuer: string; readonly kid: string | undefined; readonly endsAt: string }
  }
  let all: readonly Present[] = []
  let last: Promise<unknown> = Promise.resolve()

  const present = () => all.filter(({ told }) => Date.parse(told.endsAt) > clock())

  const replaceBy = async (next: readonly Present[]) => {
    await replace([journal, ...next.map(({ registration }) => registration)])
    all = next
  }

  /** Changes run one after the other: each replaces all partners. */
  const inTurn = <Value>(change: () => Promise<Value>): Promise<Value> => {
    const run = last.then(change)
    last = run.catch(() => undefined)
    return run
  }

  const add = async (added: Present) => {
    const kept = present()
    // The same once more, as after a reload of the page.
    const same = kept.find(({ asked }) => asked === added.asked)
    if (same) return same.told
    const issuer = foldName(added.registration.issuer)
    if (
      [journal, ...kept.map(({ registration }) => registration)].some(
        other => foldName(other.issuer) === issuer,
      )
    )
      throw new RegistrationRefused('Another registration has this iss. Choose another iss, or none.')
    await assertOwnKey(added, kept)
    if (kept.length >= maxRegistrations)
      throw new RegistrationRefused(
        `There are ${maxRegistrations} registrations. The first of them ends at ${kept[0]?.told.endsAt}.`,
      )
    await replaceBy([...kept, added])
    setTimeout(() => void inTurn(() => replaceBy(present())).catch(() => undefined), hourMs + 1000).unref()
    return added.told
  }

  /** A name of two keys would find neither for a token without `iss`. One public key may come again, with another policy. */
  const assertOwnKey = async ({ key, registration }: Present, kept: readonly Present[]) => {
    if (!key) return
    const { keys: journalKeys } = await importPartner(journal)
    if (journalKeys.some(other => other.thumbprint !== undefined && other.thumbprint === key.thumbprint))
      throw new RegistrationRefused('Another registration has this key. Choose another key.')
    const isNamed = registration.keys.some(({ kid }) => kid !== undefined)
    const others = kept.flatMap(other => other.key ?? [])
    const foreign = others.filter(
      ({ thumbprint }) => isNamed || thumbprint === undefined || thumbprint !== key.thumbprint,
    )
    const taken = new Set([...journalKeys, ...foreign].flatMap(namesOf))
    if (namesOf(key).some(name => taken.has(name)))
      throw new RegistrationRefused('Another registration has this kid. Choose another kid, or none.')
  }

  return {
    /**
     * Registers a partner. The same one twice is one registration.
     *
     * @throws {RegistrationRefused} if another registration has its issuer or a name of its key, or there are too many
     * @throws what the service says of a key that it cannot use; the former partners stay
     */
    async add(wanted: z.output<typeof hourRegistrationSchema>) {
      const { key: text, kid, issuer: asked, ...others } = wanted
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
      const endsAt = new Date(clock() + hourMs).toISOString()
      const told = { issuer, kid: key?.keyId ?? key?.thumbprint, endsAt }
      return inTurn(() => add({ asked: JSON.stringify(wanted), registration, key, told }))
    },
  }
}

/** An issuer as a person reads it. */
const foldName = (name = '') => name.normalize('NFC').trim().toLowerCase()

/** The names by which a token's `kid` finds a key. The policy lenient takes thumbprints in hexadecimal of either case. */
const namesOf = ({ keyId, thumbprint, certificateDigests }: Partner['keys'][number]) =>
  [keyId, thumbprint, ...certificateDigests].flatMap(name =>
    name === undefined ? [] : /^[\da-f]+$/i.test(name) ? name.toUpperCase() : name,
  )

function keyOf(text: string): PartnerRegistration['keys'][number] {
  if (text.startsWith('-----BEGIN'))
    return { kind: text.includes('BEGIN CERTIFICATE') ? 'x509' : 'spki', pem: text }
  if (/^https?:\/\//.test(text)) return { kind: 'jwks', url: text }
  if (text.startsWith('{'))
    return { kind: 'jwk', jwk: z.looseObject({ kty: z.string() }).parse(JSON.parse(text)) }
  return { kind: 'secret', secret: text }
}
