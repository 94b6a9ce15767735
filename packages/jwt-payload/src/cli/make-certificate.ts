// The certificate library needs it.
import 'reflect-metadata/lite'

import { KeyUsageFlags, KeyUsagesExtension, Name, X509CertificateGenerator } from '@peculiar/x509'
import { exportPKCS8 } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import type { KeyPairAlgorithm } from './subcommands.ts'

/** Tolerance for clocks that are behind, in milliseconds. */
const backdatedMs = 10 * 60 * 1000

const dayMs = 24 * 60 * 60 * 1000

/**
 * Makes a key pair (RSA with 3,072 bits, EC on the algorithm's curve, or Ed25519) with a self-signed certificate (RFC 5280) for
 * signatures. The service trusts it by registration, without a chain.
 *
 * @param name common name of subject and issuer, 1 to 64 characters
 */
export async function makeCertifiedKeys(algorithm: KeyPairAlgorithm, name: string, days: number, now: Date) {
  // A plain RSA key: its registration binds it to RS or PS.
  const made = algorithm === 'PS256' ? 'RS256' : algorithm
  const keys = await generateKeyPair(made, { extractable: true, modulusLength: 3072 })
  // WebCrypto binds the others to their hash.
  const hash = made.startsWith('ES') ? { hash: `SHA-${made.slice(2)}` } : {}
  const start = Math.floor(now.getTime() / 1000) * 1000
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: makeSerialNumber(),
      // The library's syntax for names would split at commas and quotation marks.
      name: new Name([{ CN: [{ utf8String: name }] }]),
      notBefore: new Date(start - backdatedMs),
      notAfter: new Date(start + days * dayMs),
      keys,
      signingAlgorithm: { ...keys.privateKey.algorithm, ...hash },
      extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)],
    },
    crypto,
  )
  return {
    privatePem: `${await exportPKCS8(keys.privateKey)}\n`,
    certificatePem: `${certificate.toString('pem')}\n`,
  }
}

/** 127 random bits, positive and not 0, in hexadecimal. */
function makeSerialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
