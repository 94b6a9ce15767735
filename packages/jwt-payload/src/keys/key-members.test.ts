import { keyText, registeredKey } from '@service-link/test-kit/payload-vectors'
import { expect, test } from 'vitest'
import { importVerificationKey } from './import-verification-key.ts'

const certificate = keyText('certificate', 'pem')
const spki = keyText('rsa', 'pem')
const privatePem = keyText('p256', 'privatePem')
const registered = registeredKey('p256')
const jwk = registered.kind === 'jwk' ? registered.jwk : {}
const list = 'must be x509, spki, jwk, jwks or secret.'

test.each<[string, unknown, string]>([
  [
    'kind pem',
    { kind: 'pem', pem: privatePem },
    `source.kind ${list} A certificate is x509, a public key spki.`,
  ],
  ['a kind in another case', { kind: 'X509' }, `source.kind ${list} Did you mean x509?`],
  ['a kind by another word', { kind: 'public_key' }, `source.kind ${list} Did you mean spki?`],
  ['no kind', { pem: certificate }, `source.kind is missing. It ${list} A certificate is x509`],
  ['a bare JWK', jwk, `source.kind is missing. It ${list} For a JSON Web Key write { kind: 'jwk', jwk: … }.`],
  ['a bare PEM', privatePem, "source must be an object such as { kind: 'x509', pem: … }."],
  ['two sources', [registered, registered], 'source must be an object.'],
  ['a JWK as text', { kind: 'jwk', jwk: JSON.stringify(jwk) }, 'source.jwk must be an object.'],
  [
    'a key set as jwks',
    { kind: 'jwks', jwks: { keys: [jwk] } },
    'source.jwks is not known. Did you mean url?',
  ],
  ['alg', { kind: 'spki', pem: spki, alg: 'ES256' }, 'source.alg is not known. Did you mean algorithms?'],
])('%s is told, without the key', async (_name, source, sentence) => {
  const error: unknown = await importVerificationKey(source as never).catch((failure: unknown) => failure)
  expect(error).toMatchObject({
    code: 'ERR_PARAMETER',
    message: expect.stringContaining(`The parameter ${sentence}`),
  })
  expect(String(error)).not.toContain(jwk.x)
  for (const pem of [certificate, spki, privatePem]) expect(String(error)).not.toContain(pem.split('\n')[1])
})

test.each<[string, unknown, string]>([
  [
    'hexadecimal',
    { kind: 'secret', secret: 'A7'.repeat(32) },
    "it is hexadecimal, not base64url; give its bytes, such as Buffer.from(secret, 'hex')",
  ],
  [
    'base64',
    { kind: 'secret', secret: `${'+/'.repeat(21)}8=` },
    "it is text, not base64url; give its bytes, such as Buffer.from(secret, 'base64')",
  ],
  [
    'the name of a file',
    { kind: 'x509', pem: 'keys/certificate.pem' },
    'it is the name of a file; give its content',
  ],
  ['a kid with a blank', { ...registered, kid: ' 1' }, 'its kid must not begin or end with white space'],
  ['no algorithm', { ...registered, algorithms: [] }, 'its list of algorithms is empty; leave it out'],
])('a key that is or has %s is refused', async (_name, source, problem) => {
  const error: unknown = await importVerificationKey(source as never).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'ERR_KEY_IMPORT', problem: expect.stringContaining(problem) })
})

test('a list of one source is taken', async () => {
  expect((await importVerificationKey([registered])).keyId).toBe('p256')
})
