// The certificate library's container asks for it when it is loaded.
import 'reflect-metadata/lite'

import { KeyUsageFlags, KeyUsagesExtension, Name, X509CertificateGenerator } from '@peculiar/x509'
import type { MadeKeyPair } from './make-key-pair.ts'

/** What a certificate says. */
export interface CertificateFacts {
  /** Common name of subject and issuer, 1 to 64 characters. */
  readonly name: string
  readonly days: number
  readonly now: Date
}

/** A clock that is behind takes the certificate all the same, in milliseconds. */
const backdatedMs = 10 * 60 * 1000

const dayMs = 24 * 60 * 60 * 1000

/**
 * Makes a self-signed certificate (RFC 5280) for signatures. It is trusted because the service registers it: there is no
 * chain, and so nothing else in it counts.
 *
 * @returns PEM
 */
export async function makeCertificate(pair: MadeKeyPair, facts: CertificateFacts): Promise<string> {
  const { name, days, now } = facts
  const start = Math.floor(now.getTime() / 1000) * 1000
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: makeSerialNumber(),
      // As it is: the library's own syntax for names would take commas and quotation marks apart.
      name: new Name([{ CN: [{ utf8String: name }] }]),
      notBefore: new Date(start - backdatedMs),
      notAfter: new Date(start + days * dayMs),
      keys: pair.keys,
      signingAlgorithm: pair.signing,
      extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)],
    },
    crypto,
  )
  return `${certificate.toString('pem')}\n`
}

/** 127 random bits, positive and not 0, in hexadecimal. */
function makeSerialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
