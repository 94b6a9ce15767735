import * as base64url from 'jose/base64url'
import { type Certificate, KeyImportError } from '../errors/key-errors.ts'
import type { KeyType } from './algorithms.ts'

/** Other PEM blocks that people give, and how to convert them. */
const hints: Readonly<Record<string, string>> = {
  'RSA PRIVATE KEY': 'it is PKCS#1; convert it with: openssl pkcs8 -topk8 -nocrypt',
  'EC PRIVATE KEY': 'it is SEC1; convert it with: openssl pkcs8 -topk8 -nocrypt',
  'ENCRYPTED PRIVATE KEY': 'it is encrypted; decrypt it with: openssl pkcs8 -topk8 -nocrypt',
  'RSA PUBLIC KEY': 'it is PKCS#1; convert it with: openssl rsa -RSAPublicKey_in -pubout',
  'PUBLIC KEY': 'it is a public key; give it with kind spki',
  CERTIFICATE: 'it is a certificate; give it with kind x509',
  'OPENSSH PRIVATE KEY': 'it is an SSH key; make a key with: openssl genpkey',
}

const lineBreakProblem =
  "its line breaks are the two characters \\n, as some environment files write them; give it as pem.replaceAll('\\\\n', '\\n')"

/** Takes the first PEM block of a label out of a text. */
export function decodePem(text: string, label: string, kind: string): Uint8Array<ArrayBuffer> {
  const block = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`).exec(text)
  const base64 = block?.[1]
  if (base64 === undefined) {
    const found = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1] ?? ''
    if (/-----\\[nr]/.test(text)) throw new KeyImportError(kind, lineBreakProblem)
    if (label === 'PRIVATE KEY' && ['CERTIFICATE', 'PUBLIC KEY', 'RSA PUBLIC KEY'].includes(found))
      throw new KeyImportError(kind, publicKeyProblem)
    const hint = found === label ? undefined : hints[found]
    throw new KeyImportError(kind, hint ?? `it needs a PEM block, -----BEGIN ${label}-----`)
  }
  try {
    return Uint8Array.from(atob(base64.replace(/\s/g, '')), character => character.charCodeAt(0))
  } catch {
    throw new KeyImportError(kind, 'its PEM block is not base64')
  }
}

export function encodePem(der: Uint8Array, label: string): string {
  const base64 = btoa(Array.from(der, byte => String.fromCharCode(byte)).join(''))
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** Why a private key is not registered. */
export const privateKeyProblem =
  'it holds a private key, which stays with the partner; register the certificate or public key alone, which openssl pkey -pubout writes'

/** Why a public key does not sign. */
export const publicKeyProblem =
  'it is a public key or certificate, which cannot sign; give the private key that belongs to it'

/** Refuses a private key in a registration, even beside a public one: it would be kept, sent and backed up. */
export function assertPublicPem(pem: string, kind: string): void {
  if (/BEGIN [^\n-]{0,40}PRIVATE KEY/i.test(pem)) throw new KeyImportError(kind, privateKeyProblem)
}

/** Tags of the DER elements that are read here. */
export const derTags = {
  integer: 0x02,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  context0: 0xa0,
} as const

/** The place of one element in its bytes. */
interface DerElement {
  readonly tag: number
  readonly start: number
  readonly contentStart: number
  readonly end: number
}

/** Reads the header of one DER element (X.690); enough to walk a certificate, a public or a private key. */
export function readElement(bytes: Uint8Array, start: number, end: number = bytes.length): DerElement {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined) throw cutOff()
  let length = first
  let contentStart = start + 2
  if (first >= 0x80) {
    const lengthBytes = first & 0x7f
    if (lengthBytes < 1 || lengthBytes > 3 || contentStart + lengthBytes > end) throw cutOff()
    length = 0
    for (const byte of bytes.subarray(contentStart, contentStart + lengthBytes)) length = length * 256 + byte
    contentStart += lengthBytes
  }
  if (contentStart + length > end) throw cutOff()
  return { tag, start, contentStart, end: contentStart + length }
}

/** Reads the elements of a constructed element. */
export function childrenOf(bytes: Uint8Array, parent: DerElement): DerElement[] {
  const children: DerElement[] = []
  for (let offset = parent.contentStart; offset < parent.end; ) {
    const child = readElement(bytes, offset, parent.end)
    children.push(child)
    offset = child.end
  }
  return children
}

function expectElement(element: DerElement | undefined, tag: number, what: string): DerElement {
  if (element?.tag !== tag) throw new KeyImportError('', `its DER has no ${what} where one is needed`)
  return element
}

function cutOff(): KeyImportError {
  return new KeyImportError('', 'its DER is cut off or damaged')
}

const rsaEncryption = '2a864886f70d010101'
const rsassaPss = '2a864886f70d01010a'
const ecPublicKey = '2a8648ce3d0201'
const ed25519 = '2b6570'

const curves: Readonly<Record<string, KeyType>> = {
  '2a8648ce3d030107': 'P-256',
  '2b81040022': 'P-384',
  '2b81040023': 'P-521',
}

/** Tells the type of the key in a SubjectPublicKeyInfo or a PKCS#8 PrivateKeyInfo, by its algorithm identifier. */
export function keyTypeOfDer(der: Uint8Array, form: 'spki' | 'pkcs8', kind: string): KeyType {
  const fields = childrenOf(der, expectElement(readElement(der, 0), derTags.sequence, 'key'))
  const identifier = expectElement(fields[form === 'spki' ? 0 : 1], derTags.sequence, 'algorithm')
  const [algorithm, parameter] = childrenOf(der, identifier)
  switch (oidOf(der, algorithm)) {
    case rsaEncryption:
      return 'RSA'
    case ed25519:
      return 'Ed25519'
    case ecPublicKey: {
      const curve = parameter?.tag === derTags.objectIdentifier && curves[oidOf(der, parameter)]
      if (curve) return curve
      throw new KeyImportError(kind, 'its curve is not P-256, P-384 or P-521')
    }
    case rsassaPss:
      throw new KeyImportError(
        kind,
        'it is bound to RSASSA-PSS, which WebCrypto does not read; use a plain RSA key with PS256',
      )
    default:
      throw new KeyImportError(kind, 'it is neither RSA, nor EC, nor Ed25519')
  }
}

function oidOf(der: Uint8Array, element: DerElement | undefined): string {
  const { contentStart, end } = expectElement(element, derTags.objectIdentifier, 'algorithm')
  return hex(der.subarray(contentStart, end))
}

/** A certificate with its public key. */
export interface ParsedCertificate {
  readonly certificate: Certificate
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

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
