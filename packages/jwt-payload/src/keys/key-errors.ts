import { ServiceLinkError } from '@service-link/protocol-core'
import { type Certificate, describeValidity } from './certificate.ts'

/** A key that cannot be used: damaged, too weak, of another kind than said. Never holds any of the key. */
export class KeyImportError extends ServiceLinkError<'ERR_KEY_IMPORT'> {
  readonly code = 'ERR_KEY_IMPORT'
  /** Kind of the key as given, such as `x509`; empty where it is not known. */
  readonly kind: string
  /** What is wrong, as a clause. */
  readonly problem: string
  /** Where it stands in what was registered, such as `1.keys.0`: second partner, first key. Empty for a key by itself. */
  readonly path: string

  constructor(kind: string, problem: string, path = '') {
    super(`The key${path && ` ${path}`}${kind && ` of kind ${kind}`} cannot be used: ${problem}.`)
    this.kind = kind
    this.problem = problem
    this.path = path
  }
}

/** A certificate that has expired or is not valid yet. */
export class CertificateValidityError extends ServiceLinkError<'ERR_CERTIFICATE_VALIDITY'> {
  readonly code = 'ERR_CERTIFICATE_VALIDITY'
  readonly certificate: Certificate

  constructor(certificate: Certificate, now: Date) {
    super(`${describeValidity(certificate, now)} Register a certificate that is valid.`)
    this.certificate = certificate
  }
}
