import type { X509Certificate } from 'node:crypto'
import * as base64url from 'jose/base64url'
import { type Certificate, KeyImportError } from '../errors/key-errors.ts'
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
  if (notAfter < notBefore) throw new KeyImportError('x509', 'its validity ends before it begins')
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

/** One element of DER (X.690): its content lies from `start` to `end`. */
interface Element {
  readonly tag: number
  readonly start: number
  readonly end: number
}

/**
 * Reads when a certificate is valid (RFC 5280, 4.1.2.5), from its DER. Only for runtimes that read no certificates: browsers, where
 * `explainPayload` runs, and edge runtimes. On Node `X509Certificate` tells it.
 */
export function readValidity(der: Uint8Array): { readonly notBefore: Date; readonly notAfter: Date } {
  const certificate = readElement(der, 0)
  let field = readElement(der, readElement(der, certificate.start).start)
  // Certificates of version 1 have no version [0].
  if (field.tag === 0xa0) field = readElement(der, field.end)
  // Serial number, algorithm and issuer go before it.
  for (let skipped = 0; skipped < 3; skipped++) field = readElement(der, field.end)
  const from = readElement(der, field.start)
  return { notBefore: readTime(der, from), notAfter: readTime(der, readElement(der, from.end)) }
}

function readElement(der: Uint8Array, at: number): Element {
  const [tag = 0, first = 0] = der.subarray(at, at + 2)
  let start = at + 2
  let length = first
  if (first >= 0x80) {
    length = 0
    for (const end = start + (first & 0x7f); start < end; start++) length = length * 256 + (der[start] ?? 0)
  }
  if (start + length > der.length) throw new KeyImportError('x509', 'its DER is cut off or damaged')
  return { tag, start, end: start + length }
}

/** UTCTime has two digits for the year, 1950 to 2049; GeneralizedTime four. */
function readTime(der: Uint8Array, { tag, start, end }: Element): Date {
  const text = new TextDecoder('latin1').decode(der.subarray(start, end))
  const century = tag === 0x17 ? (text < '5' ? '20' : '19') : ''
  const time = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + text)
  if (!time || !(tag === 0x17 || tag === 0x18))
    throw new KeyImportError('x509', 'its validity is not written as RFC 5280 requires')
  const [, year, month, day, hour, minute, second] = time
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
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
