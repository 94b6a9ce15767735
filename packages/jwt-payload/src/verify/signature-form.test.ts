import { createSign, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureFromDer } from './signature-form.ts'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const data = Buffer.from('data')

test('a DER signature becomes a JWS signature, for numbers of any length', () => {
  // Numbers that begin with zeros or a set bit differ in length; 100 signatures include both.
  for (let round = 0; round < 100; round++) {
    const der = new Uint8Array(createSign('sha256').update(data).sign(pair.privateKey))
    const raw = signatureFromDer(der, 'ES256')
    expect(raw?.length).toBe(64)
    expect(verify('sha256', data, { key: pair.publicKey, dsaEncoding: 'ieee-p1363' }, raw ?? data)).toBe(true)
  }
})

test.each([
  ['cut off', [0x30, 0x06, 0x02, 0x01]],
  ['with more behind it', [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00]],
  ['of one number', [0x30, 0x03, 0x02, 0x01, 0x01]],
  ['of other elements', [0x30, 0x06, 0x04, 0x01, 0x01, 0x02, 0x01, 0x01]],
  ['with too long a number', [0x30, 0x26, 0x02, 0x21, ...Array<number>(33).fill(1), 0x02, 0x01, 0x01]],
  ['of nothing', []],
])('%s is no DER signature', (_name, bytes) => {
  expect(signatureFromDer(Uint8Array.from(bytes), 'ES256')).toBeUndefined()
})

test('only ECDSA has two forms', () => {
  const der = Uint8Array.from([0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01])
  expect(signatureFromDer(der, 'RS256')).toBeUndefined()
  expect(signatureFromDer(der, 'ES256')?.length).toBe(64)
})
