import { defineError } from '@service-link/protocol-core/errors'

/** The thumbprints and the validity of an X.509 certificate. */
export interface Certificate {
  /** SHA-256 over the certificate, upper-case hexadecimal: `openssl x509 -fingerprint -sha256` without the colons. */
  readonly thumbprint: string
  /** SHA-1 over the certificate, upper-case hexadecimal: the thumbprint of Windows and .NET. Only a name. */
  readonly thumbprintSha1: string
  readonly notBefore: Date
  readonly notAfter: Date
}

/** Tells why a certificate is not valid at a time, in a sentence that names it by its thumbprints. */
export function describeValidity(certificate: Certificate, now: Date): string {
  const { notBefore, notAfter } = certificate
  const state = now < notBefore ? `is not valid before ${iso(notBefore)}` : `expired at ${iso(notAfter)}`
  return `The ${nameCertificate(certificate)} ${state}.`
}

function nameCertificate({ thumbprint, thumbprintSha1 }: Certificate): string {
  return `certificate with SHA-256 thumbprint ${thumbprint} (SHA-1 ${thumbprintSha1})`
}

/** Whether `now` lies in the certificate's validity. */
export function isInValidity({ notBefore, notAfter }: Certificate, now: Date): boolean {
  return now >= notBefore && now <= notAfter
}

/** Writes a time to the second: `2026-06-01T12:00:00Z`. */
export function iso(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}

/** Why a private key is not registered. */
export const privateKeyProblem =
  'it holds a private key, which stays with the partner; register the certificate or public key alone'

/** Why a public key does not sign. */
export const publicKeyProblem =
  'it is a public key or certificate, which cannot sign; give the private key that belongs to it'

/** The known facts about the key of an error. */
export interface KeyErrorFacts {
  /** Its place in the registration, such as `1.keys.0`: second partner, first key. Empty for a key by itself. */
  readonly path?: string | undefined
  /** RFC 7638 thumbprint of a public or private key that could be read. */
  readonly thumbprint?: string | undefined
  /** The certificate that the key is in, where that could be read. */
  readonly certificate?: Certificate | undefined
  /** The command that converts the key, where there is one. The message ends with it, and without a full stop, to be copied. */
  readonly command?: string | undefined
}

/**
 * A key that cannot be used: damaged, too weak, or of another kind than stated; or a signer that gave no signature of its
 * algorithm.
 *
 * Names the key by its thumbprints. Never holds any part of it, and no digest of a secret.
 *
 * @remedy Give a key of the kind that is stated. The message tells the reason, and `command` converts the key where a command
 * can.
 * @retry no
 * @seenBy partner's developer, operator
 */
export class KeyImportError extends defineError(
  'ERR_KEY_IMPORT',
  (kind: string, problem: string, facts: KeyErrorFacts = {}) => {
    const { path = '', thumbprint, certificate, command } = facts
    const name = certificate
      ? `, ${nameCertificate(certificate)},`
      : thumbprint && `, RFC 7638 thumbprint ${thumbprint},`
    return {
      message: `The key${path && ` ${path}`}${kind && ` of kind ${kind}`}${name ?? ''} cannot be used: ${problem}${command === undefined ? '.' : `: ${command}`}`,
      /** Kind of the key as given, such as `x509`; empty where it is not known. */
      kind,
      /** The reason, as a clause. */
      problem,
      thumbprint,
      certificate,
      command,
      path,
    }
  },
) {
  /** Makes the same error with more facts about the key. */
  with(facts: KeyErrorFacts): KeyImportError {
    return new KeyImportError(this.kind, this.problem, { ...this, ...facts })
  }
}

/**
 * A certificate that has expired or is not valid yet.
 *
 * @remedy Register a certificate that is valid now. The thumbprints name the one that is not.
 * @retry no
 * @seenBy partner's developer, operator
 */
export class CertificateValidityError extends defineError(
  'ERR_CERTIFICATE_VALIDITY',
  (certificate: Certificate, checkedAt: Date, path: string = '') => {
    const where = path && `Key ${path}: `
    return {
      message: `${where}${describeValidity(certificate, checkedAt)} Register a certificate that is valid.`,
      certificate,
      /** When its validity was checked. */
      checkedAt,
      /** See {@link KeyImportError.path}. */
      path,
    }
  },
) {
  /** Makes the same error with the place of the certificate in the registration. */
  with({ path }: Pick<KeyErrorFacts, 'path'>): CertificateValidityError {
    return new CertificateValidityError(this.certificate, this.checkedAt, path)
  }
}

/** Adds the place of a key, a path, to the error of its import. */
export async function atPath<Key>(path: string, importing: Promise<Key>): Promise<Key> {
  try {
    return await importing
  } catch (error) {
    const isOfKey = error instanceof KeyImportError || error instanceof CertificateValidityError
    throw isOfKey ? error.with({ path }) : error
  }
}

/** Reads a key by a library. Drops the library's message, which may quote the key. */
export async function readable<Value>(kind: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof KeyImportError ? error : new KeyImportError(kind, 'it is damaged')
  }
}
