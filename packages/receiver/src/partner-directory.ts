import {
  type ImportVerificationKeyOptions,
  importVerificationKey,
  type VerificationKey,
} from '@service-link/jwt-payload'
import {
  assertImportOptions,
  assertVerificationKey,
  atPath,
  isHexThumbprintOf,
  namesOfKey,
  onlyOf,
  type PartnerAppearance,
  type PartnerRegistration,
} from '@service-link/jwt-payload/steps'
import { assertParameter } from '@service-link/protocol-core/errors'
import { type ReadRegistration, readRegistration, readRegistrations } from './read-registrations.ts'
import { ReceiverOptionError } from './receiver-errors.ts'

/** A registered partner, with imported keys. The members are those of its registration. */
export interface Partner
  extends Readonly<
    Omit<ReadRegistration, 'issuer' | 'keys' | 'appearance' | 'frameOrigins' | 'scriptOrigins'>
  > {
  readonly issuer: string | undefined
  readonly keys: readonly VerificationKey[]
  readonly appearance: PartnerAppearance
  readonly frameOrigins: readonly string[]
  readonly scriptOrigins: readonly string[]
}

/** The part of a partner that the page gets. */
export type ShownPartner = Pick<Partner, 'id' | 'name' | 'appearance'>

/** The part of a partner that stays with a delivery. */
export type DeliveryPartner = Pick<Partner, 'id' | 'name' | 'appearance' | 'frameOrigins'>

/** Names in a token that find its partner. None is verified yet. */
export interface PartnerHint {
  /** Header `kid`. */
  readonly keyId: string | undefined
  /** Header `x5t#S256`, else `x5t`: base64url digest of the signing certificate. It is only compared with registered ones. */
  readonly certificateDigest: string | undefined
  /**
   * Claim `iss`. Read it only if nothing else names the partner: the claims are then read before their signature is verified.
   * Throws a refusal for claims that cannot be read.
   */
  readonly issuer: string | undefined
}

/** Finds partners. The implementation keeps keys that were imported once by `importVerificationKey`. */
export interface PartnerDirectory {
  /**
   * Finds the partner that a token names: by `keyId` (or `certificateDigest`), else by `issuer`.
   *
   * @returns `undefined` if none is registered, or if several fit
   */
  find(hint: PartnerHint): Promise<Partner | undefined>
  /**
   * Gets the partner as it is registered now. A transaction calls it for a delivery that has waited, so it should need no
   * further connection.
   *
   * @returns `undefined` if it is not registered
   */
  get(partnerId: string): Promise<Partner | undefined>
}

/**
 * Makes a directory of partners that are known when the service starts. Imports their keys once.
 *
 * A token belongs to the partner that has a key of its `kid` (or certificate digest), else to the partner that has its `iss`. If
 * two partners have a key of one `kid`, `iss` decides, so each of them must have one. A token that names neither belongs to the
 * only partner, if there is only one. In each case the signature must then be right. A partner of the policy `lenient` is also found
 * by its certificate's thumbprint in hexadecimal of either case.
 *
 * @param registrations {@link readRegistrations} gives an imported JSON file this type
 * @throws {ParameterError} if a member of a registration or an option is not known, or a key's kind is wrong; names the one that
 * is meant
 * @throws {ReceiverOptionError} if a registration has another shape (names each path, such as `1.keys.0.pem`, and no value),
 * or if two partners have one id or one issuer, or a key of one name without an issuer each
 * @throws {KeyImportError} if a key cannot be used; `path` says which, such as `1.keys.0`
 * @throws {CertificateValidityError} if a certificate is not valid now, unless `validity` is `use`: see `importPartner`
 */
export async function createPartnerDirectory(
  registrations: PartnerRegistration | readonly PartnerRegistration[],
  options: ImportVerificationKeyOptions = {},
): Promise<PartnerDirectory> {
  assertImportOptions(options)
  const imported = readRegistrations(registrations).map((registration, index) =>
    importKeys(registration, `${index}.keys`, options),
  )
  return partnerDirectoryOf(await Promise.all(imported))
}

/**
 * Makes a directory of partners whose keys are imported already, such as those of a database.
 *
 * @throws {ReceiverOptionError} if two partners have one id or one issuer, or a key of one name without an issuer each
 */
export function partnerDirectoryOf(given: Partner | readonly Partner[]): PartnerDirectory {
  const partners = [given].flat()
  for (const [index, partner] of partners.entries()) {
    const name = `partners.${index}`
    assertParameter(name, partner, 'object', { id: 'text', issuer: 'text?', keys: 'list' })
    for (const key of partner.keys) assertVerificationKey(`${name}.keys`, key)
  }
  assertDistinct(partners)
  const byKeyId = new Map<string, Partner[]>()
  for (const partner of partners)
    for (const name of new Set(partner.keys.flatMap(namesOfKey)))
      byKeyId.set(name, [...(byKeyId.get(name) ?? []), partner])
  for (const named of byKeyId.values()) assertToldApart(named)
  assertFindable(partners)
  const byIssuer = new Map(partners.map(partner => [partner.issuer, partner]))
  const byId = new Map(partners.map(partner => [partner.id, partner]))
  return {
    find: async hint => findPartner(hint, partners, byKeyId, byIssuer),
    get: async partnerId => byId.get(partnerId),
  }
}

function assertDistinct(partners: readonly Partner[]): void {
  for (const name of ['id', 'issuer'] as const) {
    const known = new Map<string | undefined, Partner>()
    for (const partner of partners) {
      const other = partner[name] === undefined ? undefined : known.get(partner[name])
      known.set(partner[name], partner)
      if (!other) continue
      const which = name === 'id' ? partner.id : `${other.id} and ${partner.id}`
      throw new ReceiverOptionError(`Two partners have the same ${name}: ${which}. Give each one of its own.`)
    }
  }
}

function findPartner(
  hint: PartnerHint,
  partners: readonly Partner[],
  byKeyId: ReadonlyMap<string, readonly Partner[]>,
  byIssuer: ReadonlyMap<string | undefined, Partner>,
): Partner | undefined {
  const { keyId, certificateDigest } = hint
  const named =
    byKeyId.get(keyId ?? '') ??
    byKeyId.get(certificateDigest ?? '') ??
    partners.filter(
      ({ policy, keys }) => policy === 'lenient' && keys.some(key => isHexThumbprintOf(key, keyId)),
    )
  if (named.length === 1) return named[0]
  const { issuer } = hint
  if (named.length > 1) return named.find(partner => partner.issuer === issuer && issuer !== undefined)
  if (issuer !== undefined && byIssuer.has(issuer)) return byIssuer.get(issuer)
  const isNameless = keyId === undefined && certificateDigest === undefined && issuer === undefined
  return isNameless && partners.length === 1 ? partners[0] : undefined
}

/** Partners with a key of one name need an issuer each: otherwise nothing tells whose a token is. */
function assertToldApart(named: readonly Partner[]): void {
  if (named.length < 2 || named.every(({ issuer }) => issuer !== undefined)) return
  const ids = named.map(({ id }) => id).join(' and ')
  throw new ReceiverOptionError(
    `The partners ${ids} are registered with keys of the same name. Give each key a kid of its own, or each of these partners an issuer.`,
  )
}

/** A token must name one of several partners. A shared secret without a `kid` has no name. */
function assertFindable(partners: readonly Partner[]): void {
  if (partners.length < 2) return
  const nameless = partners.find(
    ({ issuer, keys }) => issuer === undefined && !keys.some(key => namesOfKey(key).length > 0),
  )
  if (nameless)
    throw new ReceiverOptionError(
      `No token can name the partner ${nameless.id}. Register an issuer, or a key with a kid.`,
    )
}

/**
 * Imports a registration's keys. Refuses a certificate that is not valid now, which is a mistake in a new registration. For a
 * registration that was accepted before, such as at a restart, give `validity: 'use'`: an expired certificate then does not
 * keep the service from starting, and is refused at each use.
 *
 * @throws {KeyImportError} if a key cannot be used; `path` says which, such as `keys.0`
 * @throws {CertificateValidityError} if a certificate is not valid now, with its thumbprints and `path`; not under
 * `validity: 'use'`
 * @throws {ReceiverOptionError} if the registration has another shape; names each path, and no value
 * @throws {ParameterError} if a member of the registration or an option is not known; names the near one
 */
export async function importPartner(
  registration: PartnerRegistration | readonly [PartnerRegistration],
  options: ImportVerificationKeyOptions = {},
): Promise<Partner> {
  assertImportOptions(options)
  return importKeys(readRegistration(onlyOf(registration)), 'keys', options)
}

async function importKeys(
  { keys, issuer, ...registration }: ReadRegistration,
  path: string,
  options: ImportVerificationKeyOptions,
): Promise<Partner> {
  const imported = keys.map((key, index) => atPath(`${path}.${index}`, importVerificationKey(key, options)))
  return { ...registration, issuer, keys: await Promise.all(imported) }
}
