import type { X509Certificate } from 'node:crypto'
import * as base64url from 'jose/base64url'
import { type Certificate, KeyImportError } from '../errors/key-errors.ts'
import { childrenOf, type DerElement, derTags, expectElement, hex, readElement } from './der.ts'
import { nodeCrypto } from './node-crypto.ts'

/** A certificate with its public key. */
export interface ParsedCertificate {
  readonly certificate: Certificate
  readonly der: Uint8Array<ArrayBuffer>
  /** SubjectPublicKeyInfo, DER. */
  readonly spki: Uint8Array<ArrayBuffer>
  /** Names that a header's `kid`, `x5t` or `x5t#S256` may use for it. */
  readonly digests: readonly string[]
}

/**
 * Reads validity and public key of a certificate. Issuer, chain and extensions do not count: a certificate is trusted
 * because the partner registered it.
 */
export async function readCertificate(der: Uint8Array<ArrayBuffer>): Promise<ParsedCertificate> {
  const { notBefore, notAfter, spki } = readFields(der)
  const sha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', der))
  const sha1 = new Uint8Array(await crypto.subtle.digest('SHA-1', der))
  const thumbprint = hex(sha256).toUpperCase()
  const thumbprintSha1 = hex(sha1).toUpperCase()
  return {
    certificate: { thumbprint, thumbprintSha1, notBefore, notAfter },
    der,
    spki,
    digests: [thumbprint, thumbprintSha1, base64url.encode(sha256), base64url.encode(sha1)],
  }
}

function readFields(der: Uint8Array<ArrayBuffer>) {
  const certificate = expectElement(readElement(der, 0), derTags.sequence, 'certificate')
  const [tbs] = childrenOf(der, certificate)
  const fields = childrenOf(der, expectElement(tbs, derTags.sequence, 'certificate'))
  // Certificates of version 1 have no version [0].
  const offset = fields[0]?.tag === derTags.context0 ? 1 : 0
  const [, , , validity, , spki] = fields.slice(offset)
  const [from, until] = childrenOf(der, expectElement(validity, derTags.sequence, 'validity'))
  const { start, end } = expectElement(spki, derTags.sequence, 'public key')
  return { notBefore: readTime(der, from), notAfter: readTime(der, until), spki: der.slice(start, end) }
}

/** UTCTime has two digits for the year, 1950 to 2049; GeneralizedTime four (RFC 5280, 4.1.2.5). */
function readTime(der: Uint8Array, element: DerElement | undefined): Date {
  const text = element
    ? new TextDecoder('latin1').decode(der.subarray(element.contentStart, element.end))
    : ''
  const isShort = element?.tag === derTags.utcTime
  const pattern = isShort ? /^(\d{2})(\d{10})Z$/ : /^(\d{4})(\d{10})Z$/
  const [, year, rest] = pattern.exec(text) ?? []
  if (!year || !rest || !(isShort || element?.tag === derTags.generalizedTime))
    throw new KeyImportError('x509', 'its validity is not written as RFC 5280 requires')
  const fullYear = isShort ? `${Number(year) < 50 ? '20' : '19'}${year}` : year
  const [month, day, hour, minute, second] = rest.match(/../g) ?? []
  const time = new Date(`${fullYear}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(time.getTime()))
    throw new KeyImportError('x509', 'its validity names a time that does not exist')
  return time
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
    // OpenSSL reads fewer certificates than this reader, and its messages may quote them.
    return undefined
  }
}

function isIssuedBy(x509: X509Certificate, other: X509Certificate): boolean {
  return x509.checkIssued(other) && x509.verify(other.publicKey)
}
