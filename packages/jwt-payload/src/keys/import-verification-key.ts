import { assertParameter } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'
import {
  CertificateValidityError,
  isInValidity,
  KeyImportError,
  privateKeyProblem,
} from '../errors/key-errors.ts'
import { allowedAlgorithms, type PayloadAlgorithm } from './algorithms.ts'
import { findLeaf, type ParsedCertificate, readCertificate } from './certificate.ts'
import { findKey, findKeys } from './find-keys.ts'
import { importPublicDer, importPublicJwk } from './import-jwk.ts'
import { assertKeyMembers, holderOfKind, onlyOf } from './key-members.ts'
import { importKeySet } from './key-set.ts'
import { assertSecretLength, importHmac, readSecret } from './secret.ts'
import {
  type ImportVerificationKeyOptions,
  type VerificationKey,
  type VerificationKeySource,
  verificationKeyOf,
} from './verification-key.ts'

/**
 * Checks and imports a key, once, to verify any number of tokens (spec 5.1). Tokens name a public key by its registered
 * `kid` or its RFC 7638 thumbprint, a certificate also by its own thumbprints. A secret has no name but a given `kid`: a digest
 * would help to guess it.
 *
 * @param given the source, or a list with it alone
 * @throws {ParameterError} when `given` is no such source, or an option is of another type or not known
 * @throws {KeyImportError} when the key is damaged, of another kind or curve, in another format (`command` converts it), private, too
 * weak (RSA below 2,048 bits or with an exponent below 65,537, ROCA), one of several that are not one chain, or a secret shorter than
 * 32 bytes or each digest of `algorithms`
 * @throws {CertificateValidityError} when a certificate has expired or is not valid yet
 * @example
 * ```ts
 * import { importVerificationKey } from '@service-link/jwt-payload'
 *
 * const key = await importVerificationKey({ kind: 'x509', pem: certificatePem, kid: '2026' })
 * ```
 */
export async function importVerificationKey(
  given: VerificationKeySource | readonly [VerificationKeySource],
  options: ImportVerificationKeyOptions = {},
): Promise<VerificationKey> {
  const source = onlyOf(given)
  if (String(Object(source).kind) === 'pkcs8') throw new KeyImportError('pkcs8', privateKeyProblem)
  assertKeyMembers('source', source)
  const members = { kid: 'text?', algorithms: 'list?', ...holderOfKind[source.kind] } as const
  assertParameter('source', source, 'object', members)
  assertImportOptions(options)
  switch (source.kind) {
    case 'x509':
      return importCertificate(source, options)
    case 'spki':
      return importPublicDer(source, await findKey(source.pem, 'PUBLIC KEY', source.kind))
    case 'jwk':
      return importPublicJwk(source, source.jwk)
    case 'jwks':
      return importKeySet(source, options)
    case 'secret':
      return importSecret(source)
  }
}

/** @throws {ParameterError} when an option is of another type or not known */
export function assertImportOptions(options: ImportVerificationKeyOptions): void {
  assertParameter('options', options, 'closed', {
    clock: 'clock?',
    validity: ['import', 'use', undefined],
    keySetTimeoutMs: milliseconds,
    fetch: 'function?',
  })
}

async function importCertificate(
  source: Extract<VerificationKeySource, { kind: 'x509' }>,
  { clock, validity = 'import' }: ImportVerificationKeyOptions,
): Promise<VerificationKey> {
  const certificates = await Promise.all(
    (await findKeys(source.pem, 'CERTIFICATE', source.kind)).map(readCertificate),
  )
  const parsed = findLeaf(certificates)
  if (!parsed) throw noLeaf(certificates)
  const { certificate } = parsed
  const now = clock?.() ?? new Date()
  if (validity === 'import' && !isInValidity(certificate, now))
    throw new CertificateValidityError(certificate, now)
  try {
    return await importPublicDer(source, parsed.der, {
      ...parsed,
      issuers: certificates.flatMap(one => (one === parsed ? [] : one.certificate)),
    })
  } catch (error) {
    throw error instanceof KeyImportError ? error.with({ certificate }) : error
  }
}

const maxNamed = 10

function noLeaf(certificates: readonly ParsedCertificate[]): KeyImportError {
  const names = certificates.slice(0, maxNamed).map(({ certificate }) => certificate.thumbprint)
  const more = certificates.length > maxNamed ? ` and ${certificates.length - maxNamed} more` : ''
  return new KeyImportError(
    'x509',
    `it holds ${certificates.length} certificates, and no chain tells which one signs: SHA-256 thumbprints ${names.join(', ')}${more}; register the one of the signing key alone`,
  )
}

async function importSecret(
  source: Extract<VerificationKeySource, { kind: 'secret' }>,
): Promise<VerificationKey> {
  const secret = readSecret(source.secret)
  const keys = new Map<PayloadAlgorithm, CryptoKey>()
  const allowed = allowedAlgorithms('secret', 'secret', source.algorithms)
  for (const algorithm of assertSecretLength(secret.length, allowed))
    keys.set(algorithm, await importHmac(secret, algorithm))
  return verificationKeyOf(source, keys)
}
