// The certificate library needs it.
import 'reflect-metadata/lite'

import { BasicConstraintsExtension, X509CertificateGenerator } from '@peculiar/x509'
import { describe, expect, test } from 'vitest'
import { KeyImportError } from '../errors/key-errors.ts'
import { explainPayload } from '../explain/explain-payload.ts'
import { signPayload } from '../sign/sign-payload.ts'
import { importVerificationKey } from './import-verification-key.ts'
import { encodePem } from './key-content.ts'
import { importSigningKey } from './signing-key.ts'

const clock = () => new Date('2026-06-01T12:00:00Z')
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

type Keys = Awaited<ReturnType<typeof makeKeys>>

const makeKeys = () =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])

let serial = 0

/** Makes a certificate that an authority has issued, or a self-signed one. */
async function certify(
  name: string,
  keys: Keys,
  by: { readonly name: string; readonly keys: Keys } = { name, keys },
  { ca = false, until = '2028-01-01' } = {},
): Promise<string> {
  serial += 1
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: serial.toString(16).padStart(4, '0'),
      subject: `CN=${name}`,
      issuer: `CN=${by.name}`,
      notBefore: new Date('2024-01-01'),
      notAfter: new Date(until),
      publicKey: keys.publicKey,
      signingKey: by.keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [new BasicConstraintsExtension(ca, undefined, true)],
    },
    crypto,
  )
  return `${certificate.toString('pem')}\n`
}

const root = { name: 'root', keys: await makeKeys() }
const otherRoot = { name: 'other root', keys: await makeKeys() }
const middle = { name: 'middle', keys: await makeKeys() }
const leafKeys = await makeKeys()
const ca = { ca: true }

const rootPem = await certify('root', root.keys, root, ca)
const expiredRootPem = await certify('root', root.keys, root, { ca: true, until: '2025-01-01' })
const otherRootPem = await certify('other root', otherRoot.keys, otherRoot, ca)
const middlePem = await certify('middle', middle.keys, root, ca)
const crossSignedPem = await certify('middle', middle.keys, otherRoot, ca)
const leafPem = await certify('leaf', leafKeys, middle)
const renewedPem = await certify('leaf', leafKeys, middle)
const selfSignedPem = await certify('self', leafKeys, undefined, ca)
const strangerPem = await certify('stranger', await makeKeys())

const thumbprintOf = async (pem: string) =>
  (await importVerificationKey({ kind: 'x509', pem }, { clock, validity: 'use' })).certificate?.thumbprint

describe('of a file with several certificates the one that signs is taken', () => {
  test.each([
    ['the leaf first', [leafPem, middlePem, rootPem]],
    ['the authority first', [rootPem, middlePem, leafPem]],
    ['in any order', [middlePem, leafPem, rootPem]],
    ['without the root', [middlePem, leafPem]],
    ['the leaf twice', [leafPem, middlePem, leafPem]],
    ['an expired authority', [expiredRootPem, middlePem, leafPem]],
    [
      'a cross-signed authority, with both roots',
      [otherRootPem, crossSignedPem, rootPem, middlePem, leafPem],
    ],
  ])('%s', async (_name, pems) => {
    const text = pems.map(pem => `subject=/O=Acme\r\n${pem.replaceAll('\n', '\r\n')}`).join('between\n')
    const key = await importVerificationKey({ kind: 'x509', pem: text }, { clock })
    expect(key.certificate?.thumbprint).toBe(await thumbprintOf(leafPem))
    expect(key.issuers.length).toBe(new Set(pems).size - 1)
  })

  test('labeled as older programs do', async () => {
    const pem = [rootPem, middlePem, leafPem].join('').replaceAll(' CERTIFICATE', ' X509 CERTIFICATE')
    const key = await importVerificationKey({ kind: 'x509', pem }, { clock })
    expect(key.certificate?.thumbprint).toBe(await thumbprintOf(leafPem))
  })
})

test('one certificate counts, self-signed and twice in the file too', async () => {
  const key = await importVerificationKey({ kind: 'x509', pem: selfSignedPem + selfSignedPem }, { clock })
  expect([key.certificate?.thumbprint, key.issuers]).toEqual([await thumbprintOf(selfSignedPem), []])
  const bytes = Uint8Array.from(Buffer.from(selfSignedPem.replace(/-----.*-----/g, ''), 'base64'))
  const fromDer = await importVerificationKey({ kind: 'x509', pem: bytes }, { clock })
  expect(fromDer.keyId).toBe(key.keyId)
})

test.each([
  ['two that sign', [leafPem, strangerPem]],
  ['two of one key, an old and a new one', [leafPem, renewedPem, middlePem]],
  ['authorities without the one that signs', [rootPem, middlePem]],
  ['a chain with a gap', [leafPem, rootPem]],
  ['a chain and a stranger', [rootPem, middlePem, leafPem, strangerPem]],
  ['two authorities that are each other’s', [selfSignedPem, await certify('self', leafKeys, undefined, ca)]],
])('%s: the file is refused with every thumbprint', async (_name, pems) => {
  const importing = importVerificationKey({ kind: 'x509', pem: pems.join('') }, { clock })
  const error: unknown = await importing.catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(KeyImportError)
  for (const pem of pems) {
    expect(String(error)).toContain(await thumbprintOf(pem))
  }
})

test('explain shows each certificate of the file', async () => {
  const keys = await importVerificationKey({ kind: 'x509', pem: rootPem + middlePem + leafPem }, { clock })
  const der = new Uint8Array(await crypto.subtle.exportKey('pkcs8', leafKeys.privateKey))
  const key = await importSigningKey({ kind: 'pkcs8', pem: encodePem(der, 'PRIVATE KEY') })
  const audience = 'https://sso.example/partner/payload'
  const payload = { organizationId: 'o', employeeId: 'e', contact: { id: 'c' } }
  const token = await signPayload(payload, key, { audience, clock })
  const checks = await explainPayload(token, { keys, audience, clock })
  const { says = '', outcome } = checks.find(({ check }) => check === 'key') ?? {}
  expect(outcome).toBe('passed')
  for (const pem of [rootPem, middlePem, leafPem]) expect(says).toContain(await thumbprintOf(pem))
  expect(says).toContain('which do not count')
})
