import { importJWK, importSPKI, type JWK } from 'jose'
import type { KeyType, PayloadAlgorithm } from './algorithms.ts'
import { isInValidity } from './certificate.ts'
import { importHmac } from './import-hmac.ts'
import { CertificateValidityError, KeyImportError } from './key-errors.ts'
import { importKeySet } from './key-set.ts'
import type { VerificationKeySource } from './key-source.ts'
import { allowedAlgorithms, keyTypeOfDer, keyTypeOfJwk } from './key-type.ts'
import { decodePem, encodePem } from './pem.ts'
import { type ParsedCertificate, readCertificate } from './read-certificate.ts'
import { assertRsaLength } from './rsa-length.ts'
import { readSecret } from './secret.ts'
import type { VerificationKey } from './verification-key.ts'

/** Options of {@link importVerificationKey}. */
export interface ImportVerificationKeyOptions {
  /** Default: the machine's clock. */
  readonly clock?: () => Date
  /**
   * When a certificate's validity counts: `import` refuses one that is not valid now; `use` keeps it, so that it can be
   * registered before it becomes valid. Each use is checked in any case. Default `import`.
   */
  readonly validity?: 'import' | 'use'
  /** How long a key set may take to be fetched, in milliseconds. Default 5,000. */
  readonly keySetTimeoutMs?: number
}

/**
 * Checks and imports a key, once, to verify any number of tokens with it (specification 5.1).
 *
 * @throws {KeyImportError} when the key is damaged, of another kind, RSA with fewer than 2,048 bits, or a secret of fewer
 * than 32 bytes
 * @throws {CertificateValidityError} when a certificate has expired or is not valid yet; names its thumbprints
 * @example
 * ```ts
 * import { importVerificationKey } from '@service-link/jwt-payload'
 *
 * const key = await importVerificationKey({ kind: 'x509', pem: certificatePem, kid: '2026' })
 * ```
 */
export async function importVerificationKey(
  source: VerificationKeySource,
  options: ImportVerificationKeyOptions = {},
): Promise<VerificationKey> {
  switch (source.kind) {
    case 'x509': {
      const certificate = await readCertificate(decodePem(source.pem, 'CERTIFICATE', source.kind))
      const now = options.clock?.() ?? new Date()
      if (options.validity !== 'use' && !isInValidity(certificate, now))
        throw new CertificateValidityError(certificate, now)
      return importPublicKey(source, certificate.spki, certificate)
    }
    case 'spki':
      return importPublicKey(source, decodePem(source.pem, 'PUBLIC KEY', source.kind))
    case 'jwk':
      return importPublicJwk(source, source.jwk)
    case 'jwks':
      return importKeySet(source, options.keySetTimeoutMs)
    case 'secret': {
      const secret = readSecret(source.secret)
      const algorithms = allowedAlgorithms('secret', source.kind, source.algorithms)
      return importAll(source, algorithms, algorithm => importHmac(secret, algorithm))
    }
  }
}

async function importPublicKey(
  source: VerificationKeySource,
  spki: Uint8Array,
  certificate?: ParsedCertificate,
): Promise<VerificationKey> {
  const type = keyTypeOfDer(spki, 'spki', source.kind)
  const algorithms = allowedAlgorithms(type, source.kind, source.algorithms)
  const pem = encodePem(spki, 'PUBLIC KEY')
  return importAll(
    source,
    algorithms,
    async algorithm => checked(await importSPKI(pem, algorithm), type, source),
    certificate,
  )
}

async function importPublicJwk(source: VerificationKeySource, jwk: JWK): Promise<VerificationKey> {
  const type = keyTypeOfJwk(jwk)
  if (jwk.d !== undefined)
    throw new KeyImportError(
      'jwk',
      'it is a private key, which stays with the partner; register its public part',
    )
  if ((jwk.use ?? 'sig') !== 'sig' || jwk.key_ops?.includes('verify') === false)
    throw new KeyImportError('jwk', 'its use or key_ops do not include signatures')
  const own = jwk.alg === undefined ? undefined : [jwk.alg]
  const algorithms = allowedAlgorithms(type, 'jwk', source.algorithms, own)
  const { alg: _alg, key_ops: _operations, ...members } = jwk
  return importAll({ ...source, kid: source.kid ?? jwk.kid }, algorithms, async algorithm => {
    const key = await importJWK(members, algorithm)
    if (key instanceof Uint8Array) throw new KeyImportError('jwk', 'it holds a shared secret')
    return checked(key, type, source)
  })
}

function checked(key: CryptoKey, type: KeyType, source: VerificationKeySource): CryptoKey {
  if (type === 'RSA') assertRsaLength(key, source.kind)
  return key
}

/** One import an algorithm: WebCrypto binds a key to its hash. An RSA key has six, which take well under a millisecond. */
async function importAll(
  source: Pick<VerificationKeySource, 'kind'> & { readonly kid?: string | undefined },
  algorithms: readonly PayloadAlgorithm[],
  importFor: (algorithm: PayloadAlgorithm) => Promise<CryptoKey>,
  certificate?: ParsedCertificate,
): Promise<VerificationKey> {
  const materials = new Map<PayloadAlgorithm, CryptoKey>()
  for (const algorithm of algorithms) {
    try {
      materials.set(algorithm, await importFor(algorithm))
    } catch (error) {
      // What the library says may quote the key.
      throw error instanceof KeyImportError ? error : new KeyImportError(source.kind, 'it is damaged')
    }
  }
  return {
    kind: source.kind,
    keyId: source.kid,
    certificateDigests: certificate?.digests ?? [],
    algorithms,
    certificate: certificate && factsOf(certificate),
    materialFor: algorithm => {
      const material = materials.get(algorithm)
      if (!material) throw new TypeError(`A key was asked for ${algorithm}, which it does not have.`)
      return material
    },
  }
}

function factsOf({ thumbprint, thumbprintSha1, notBefore, notAfter }: ParsedCertificate) {
  return { thumbprint, thumbprintSha1, notBefore, notAfter }
}
