import { base64url } from 'jose'
import type { Certificate } from './certificate.ts'
import { childrenOf, type DerElement, derTags, expectElement, readElement } from './der.ts'
import { KeyImportError } from './key-errors.ts'

/** A certificate with its public key. */
export interface ParsedCertificate extends Certificate {
  /** SubjectPublicKeyInfo, DER. */
  readonly spki: Uint8Array<ArrayBuffer>
  /** Names that a header's `kid`, `x5t` or `x5t#S256` may use for it. */
  readonly digests: readonly string[]
}

/**
 * Reads validity and public key of a certificate. Issuer, chain and extensions do not count: a certificate is trusted
 * because the partner registered it.
 *
 * @param der one certificate
 * @throws {KeyImportError} when it is not one
 */
export async function readCertificate(der: Uint8Array<ArrayBuffer>): Promise<ParsedCertificate> {
  const { notBefore, notAfter, spki } = readFields(der)
  const [sha256, sha1] = await Promise.all([
    crypto.subtle.digest('SHA-256', der),
    crypto.subtle.digest('SHA-1', der),
  ])
  const thumbprint = hex(sha256)
  const thumbprintSha1 = hex(sha1)
  const digests = [
    thumbprint,
    thumbprintSha1,
    base64url.encode(new Uint8Array(sha256)),
    base64url.encode(new Uint8Array(sha1)),
  ]
  return { thumbprint, thumbprintSha1, notBefore, notAfter, spki, digests }
}

function readFields(
  der: Uint8Array<ArrayBuffer>,
): Pick<ParsedCertificate, 'notBefore' | 'notAfter' | 'spki'> {
  const certificate = expectElement(readElement(der, 0), derTags.sequence, 'certificate')
  const [tbs] = childrenOf(der, certificate)
  const fields = childrenOf(der, expectElement(tbs, derTags.sequence, 'certificate'))
  // version [0] is left out by certificates of version 1
  const offset = fields[0]?.tag === derTags.context0 ? 1 : 0
  const [, , , validity, , spki] = fields.slice(offset)
  const [from, until] = childrenOf(der, expectElement(validity, derTags.sequence, 'validity'))
  const { start, end } = expectElement(spki, derTags.sequence, 'public key')
  const [notBefore, notAfter] = [readTime(der, from), readTime(der, until)]
  if (notAfter < notBefore) throw new KeyImportError('x509', 'its validity ends before it begins')
  return { notBefore, notAfter, spki: der.slice(start, end) }
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
    throw new KeyImportError('x509', 'its validity is not written as RFC 5280 has it')
  const fullYear = isShort ? `${Number(year) < 50 ? '20' : '19'}${year}` : year
  const [month, day, hour, minute, second] = rest.match(/../g) ?? []
  const time = new Date(`${fullYear}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(time.getTime()))
    throw new KeyImportError('x509', 'its validity names a time that does not exist')
  return time
}

function hex(digest: ArrayBuffer): string {
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()
}
