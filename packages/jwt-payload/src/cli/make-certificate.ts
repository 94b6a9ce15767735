// The certificate library needs it.
import 'reflect-metadata/lite'

import { KeyUsageFlags, KeyUsagesExtension, Name, X509CertificateGenerator } from '@peculiar/x509'
import { encodePem } from '../keys/key-content.ts'
import type { KeyPairAlgorithm } from './command-line.ts'

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
  const { generation, signing } = recipes[algorithm]
  const keys = await crypto.subtle.generateKey(generation, true, ['sign', 'verify'])
  if (!('privateKey' in keys)) throw new TypeError(`${algorithm} gave no pair of keys.`)
  const der = new Uint8Array(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  const start = Math.floor(now.getTime() / 1000) * 1000
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: makeSerialNumber(),
      // The library's syntax for names would split at commas and quotation marks.
      name: new Name([{ CN: [{ utf8String: name }] }]),
      notBefore: new Date(start - backdatedMs),
      notAfter: new Date(start + days * dayMs),
      keys,
      signingAlgorithm: signing,
      extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)],
    },
    crypto,
  )
  return { privatePem: encodePem(der, 'PRIVATE KEY'), certificatePem: `${certificate.toString('pem')}\n` }
}

/** 127 random bits, positive and not 0, in hexadecimal. */
function makeSerialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

const ecdsa = (namedCurve: string, hash: string) => ({
  generation: { name: 'ECDSA', namedCurve },
  signing: { name: 'ECDSA', hash },
})

/** A plain RSA key. Its registration binds it to RS or PS. */
const rsa = {
  generation: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 3072,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
  signing: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
}

const recipes = {
  ES256: ecdsa('P-256', 'SHA-256'),
  ES384: ecdsa('P-384', 'SHA-384'),
  ES512: ecdsa('P-521', 'SHA-512'),
  EdDSA: { generation: { name: 'Ed25519' }, signing: { name: 'Ed25519' } },
  RS256: rsa,
  PS256: rsa,
} as const
