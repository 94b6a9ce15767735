import { assertParameter } from '@service-link/protocol-core'
import type { ImportVerificationKeyOptions } from '../../keys/import-verification-key.ts'
import { namesOfKey } from '../../keys/verification-key.ts'
import type { Partner, PartnerDirectory, PartnerHint } from '../ports/partners.ts'
import { ReceiverOptionError } from '../receiver-errors.ts'
import { importPartners, type PartnerRegistration } from '../registration/partner-registration.ts'

/**
 * A directory of partners that are known when the service starts. Their keys are imported once.
 *
 * A token is the partner's that has a key of its `kid` (or certificate digest), else the partner's that has its `iss`. Where
 * two partners have a key of one `kid`, `iss` decides, so each of them must have one. A token that names neither is the only partner's, if there is only
 * one. In each case the signature must then fit.
 *
 * @throws {ReceiverOptionError} when a registration has another shape (names each path, such as `1.keys.0.pem`, and no value),
 * or when two partners have one id or one issuer, or a key of one name without an issuer each
 * @throws {KeyImportError} when a key cannot be used; `path` says which, such as `1.keys.0`
 * @throws {CertificateValidityError} when a certificate is not valid now, unless `validity` is `use`: see `importPartner`
 */
export async function createPartnerDirectory(
  registrations: readonly PartnerRegistration[],
  options: ImportVerificationKeyOptions = {},
): Promise<PartnerDirectory> {
  return partnerDirectoryOf(await importPartners(registrations, options))
}

/**
 * {@link createPartnerDirectory} of partners whose keys are imported already, such as those of a database that keeps an
 * unchanged partner while another one changes.
 *
 * @throws {ReceiverOptionError} when two partners have one id or one issuer, or a key of one name without an issuer each
 */
export function partnerDirectoryOf(partners: readonly Partner[]): PartnerDirectory {
  assertParameter('partners', partners, 'list')
  for (const partner of partners)
    assertParameter('partners', partner, 'object', { id: 'text', issuer: 'text?', keys: 'list' })
  assertUnique(
    partners.map(({ id }) => id),
    'id',
  )
  assertUnique(
    partners.flatMap(({ issuer }) => issuer ?? []),
    'issuer',
  )
  const byKeyId = new Map<string, Partner[]>()
  for (const partner of partners)
    for (const name of new Set(partner.keys.flatMap(namesOfKey)))
      byKeyId.set(name, [...(byKeyId.get(name) ?? []), partner])
  for (const named of byKeyId.values()) assertToldApart(named)
  const byIssuer = new Map(partners.map(partner => [partner.issuer, partner]))
  const byId = new Map(partners.map(partner => [partner.id, partner]))
  return {
    find: async hint => findPartner(hint, partners, byKeyId, byIssuer),
    get: async partnerId => byId.get(partnerId),
  }
}

function findPartner(
  hint: PartnerHint,
  partners: readonly Partner[],
  byKeyId: ReadonlyMap<string, readonly Partner[]>,
  byIssuer: ReadonlyMap<string | undefined, Partner>,
): Partner | undefined {
  const { keyId, certificateDigest } = hint
  const named = byKeyId.get(keyId ?? '') ?? byKeyId.get(certificateDigest ?? '') ?? []
  if (named.length === 1) return named[0]
  const { issuer } = hint
  if (named.length > 1) return named.find(partner => partner.issuer === issuer && issuer !== undefined)
  if (issuer !== undefined && byIssuer.has(issuer)) return byIssuer.get(issuer)
  const isNameless = keyId === undefined && certificateDigest === undefined && issuer === undefined
  return isNameless && partners.length === 1 ? partners[0] : undefined
}

/** Partners with a key of one name: each must have an issuer, or nobody knows whose a token is. */
function assertToldApart(named: readonly Partner[]): void {
  if (named.length < 2 || named.every(({ issuer }) => issuer !== undefined)) return
  const ids = named.map(({ id }) => id).join(' and ')
  throw new ReceiverOptionError(
    `The partners ${ids} are registered with keys of the same name. Give each key a kid of its own, or each of these partners an issuer.`,
  )
}

function assertUnique(values: readonly string[], what: string): void {
  if (new Set(values).size < values.length)
    throw new ReceiverOptionError(`Two partners are registered with the same ${what}.`)
}
