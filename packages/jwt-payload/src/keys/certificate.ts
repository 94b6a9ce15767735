import type { X509Certificate } from 'node:crypto'
import * as base64url from 'jose/base64url'
import { type Certificate, KeyImportError } from '../errors/key-errors.ts'
import { readValidity } from './certificate-validity.ts'
import { hex } from './key-content.ts'
import { nodeCrypto } from './node-crypto.ts'

/** A certificate, and the names that a token may give it. */
export interface ParsedCertificate {
  readonly certificate: Certificate
  readonly der: Uint8Array<ArrayBuffer>
  /** Names that a header's `kid`, `x5t` or `x5t#S256` may use for it. */
  readonly digests: readonly string[]
}

/**
 * Reads validity and digests of a certificate, which jose does not. Issuer, chain and extensions do not count: a certificate is trusted because the
 * partner registered it.
 */
export async function readCertificate(der: Uint8Array<ArrayBuffer>): Promise<ParsedCertificate> {
  const { notBefore, notAfter } = validityOf(der)
  if (Number.isNaN(notBefore.getTime()) || Number.isNaN(notAfter.getTime()))
    throw new KeyImportError('x509', 'its validity names a time that does not exist')
  const sha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', der))
  const sha1 = new Uint8Array(await crypto.subtle.digest('SHA-1', der))
  const thumbprint = hex(sha256).toUpperCase()
  const thumbprintSha1 = hex(sha1).toUpperCase()
  return {
    certificate: { thumbprint, thumbprintSha1, notBefore, notAfter },
    der,
    digests: [thumbprint, thumbprintSha1, base64url.encode(sha256), base64url.encode(sha1)],
  }
}

function validityOf(der: Uint8Array): Pick<Certificate, 'notBefore' | 'notAfter'> {
  if (!nodeCrypto) return readValidity(der)
  try {
    const { validFrom, validTo } = new nodeCrypto.X509Certificate(der)
    return { notBefore: new Date(validFrom), notAfter: new Date(validTo) }
  } catch {
    // OpenSSL's messages may quote it.
    throw new KeyImportError('x509', 'it is damaged')
  }
}

/**
 * Finds the one certificate that issued no other, and whose issuers are all the others: the chain then tells which one signs, in
 * any order. An authority at that place means that the chain lacks its end.
 *
 * @returns nothing when the chain does not tell, or the runtime is not Node
 */
export function findLeaf(certificates: readonly ParsedCertificate[]): ParsedCertificate | undefined {
  if (certificates.length === 1) return certificates[0]
  if (!nodeCrypto) return undefined
  const { X509Certificate } = nodeCrypto
  try {
    const all = certificates.map(({ der }) => new X509Certificate(der))
    const issuers = all.map(x509 => all.filter(other => other !== x509 && isIssuedBy(x509, other)))
    const [leaf, ...more] = all.filter(x509 => !issuers.some(those => those.includes(x509)))
    if (!leaf || more.length > 0 || leaf.ca) return undefined
    const chain = new Set([leaf])
    for (const x509 of chain) for (const issuer of issuers[all.indexOf(x509)] ?? []) chain.add(issuer)
    return chain.size === all.length ? certificates[all.indexOf(leaf)] : undefined
  } catch {
    // The key of one may be of a type that OpenSSL does not know.
    return undefined
  }
}

function isIssuedBy(x509: X509Certificate, other: X509Certificate): boolean {
  return x509.checkIssued(other) && x509.verify(other.publicKey)
}
