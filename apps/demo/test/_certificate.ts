import { createHash } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

/** A certificate that a browser is told to take, and the key that it belongs to. */
export interface TestCertificate {
  readonly key: string
  readonly cert: string
  /** SHA-256 of its public key, base64: for Chromium's `--ignore-certificate-errors-spki-list`, which trusts this one key. */
  readonly spkiDigest: string
}

/** Makes a self-signed certificate for some hosts, good for a day. */
export async function makeCertificate(hosts: readonly string[]): Promise<TestCertificate> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const dayMs = 24 * 60 * 60 * 1000
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Service Link test',
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.SubjectAlternativeNameExtension(hosts.map(value => ({ type: 'dns' as const, value }))),
    ],
  })
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey))
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    cert: certificate.toString('pem'),
    spkiDigest: createHash('sha256').update(spki).digest('base64'),
  }
}
