import { encodePem } from '../src/keys/der.ts'

/** A self-signed certificate for test vectors; the only kind that a partner of this protocol needs. */
export async function writeCertificate(options: {
  readonly spki: Uint8Array
  readonly signingKey: CryptoKey
  readonly commonName: string
  readonly serialNumber: number
  readonly notBefore: string
  readonly notAfter: string
}): Promise<string> {
  const sha256WithRsa = sequence(oid('2a864886f70d01010b'), Uint8Array.of(0x05, 0x00))
  const name = sequence(element(0x31, sequence(oid('550403'), text(0x0c, options.commonName))))
  const tbs = sequence(
    element(0xa0, element(0x02, Uint8Array.of(2))),
    element(0x02, Uint8Array.of(options.serialNumber)),
    sha256WithRsa,
    name,
    sequence(time(options.notBefore), time(options.notAfter)),
    name,
    options.spki,
  )
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', options.signingKey, tbs)
  const bitString = element(0x03, Uint8Array.of(0), new Uint8Array(signature))
  return encodePem(sequence(tbs, sha256WithRsa, bitString), 'CERTIFICATE')
}

/** Years from 2050 need GeneralizedTime (RFC 5280, 4.1.2.5). */
function time(iso: string): Uint8Array<ArrayBuffer> {
  const digits = iso.replace(/\D/g, '').slice(0, 14)
  return Number(iso.slice(0, 4)) < 2050 ? text(0x17, `${digits.slice(2)}Z`) : text(0x18, `${digits}Z`)
}

function sequence(...contents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return element(0x30, ...contents)
}

function oid(hex: string): Uint8Array<ArrayBuffer> {
  return element(
    0x06,
    Uint8Array.from(hex.match(/../g) ?? [], byte => Number.parseInt(byte, 16)),
  )
}

function text(tag: number, value: string): Uint8Array<ArrayBuffer> {
  return element(tag, new TextEncoder().encode(value))
}

function element(tag: number, ...contents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = contents.reduce((sum, content) => sum + content.length, 0)
  const lengthBytes = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Uint8Array.from([tag, ...lengthBytes, ...contents.flatMap(content => [...content])])
}
