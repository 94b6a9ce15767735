import type { VectorCase } from './vector-case.ts'

const keyImport = { code: 'ERR_KEY_IMPORT' }

export const refusedRegistration: readonly VectorCase[] = [
  ['weakRsa', 'an RSA key of 1,024 bits'],
  ['shortSecret', 'a secret of 31 bytes'],
  ['secretInJwk', 'a JWK that is a secret'],
  ['pemAsSecret', 'a public key registered as secret'],
  ['privateKeyAsPublic', 'a private key registered as public'],
  ['privateJwk', 'a private JWK registered as public'],
  ['exponentOne', 'an RSA key with the exponent 1, whose signatures anybody can write,'],
  ['exponentThree', 'an RSA key with the exponent 3'],
  ['evenExponent', 'an RSA key with an even exponent'],
  ['evenModulus', 'an RSA key with an even modulus'],
  ['rocaModulus', 'an RSA key with the fingerprint of ROCA (CVE-2017-15361)'],
  ['paddedExponent', 'an RSA key whose exponent is no base64url text'],
  ['operationTwice', 'a JWK whose key_ops have an operation twice'],
  ['outOfRangeEd25519', 'an Ed25519 key whose point is out of range'],
  ['smallOrderEd25519', 'an Ed25519 key whose point has a small order'],
].map(([key = '', what = '']) => ({
  id: `registration-${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`,
  spec: '5.1',
  name: `${what} is refused when it is registered`,
  token: 'e30.e30.e30',
  keys: [key],
  error: keyImport,
}))
