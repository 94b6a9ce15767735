import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { keyText } from '@service-link/test-kit/payload-vectors'
import { type Attack, es, group } from './attack.ts'
import { base64url, compact, ed25519, goodClaims, hmac, privateKey, ps256, rs256, signedBy } from './forge.ts'

/** The partner's token with a changed third part. */
function withSignature(
  name: 'p256' | 'rsa' | 'ed25519' | 'secret',
  change: (signature: Buffer, input: string) => Uint8Array | string,
): string {
  const token = signedBy(name).token()
  const dot = token.lastIndexOf('.')
  const input = token.slice(0, dot)
  const changed = change(Buffer.from(token.slice(dot + 1), 'base64url'), input)
  return `${input}.${typeof changed === 'string' ? changed : base64url(changed)}`
}

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const number = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const l = 2n ** 252n + 27742317777372353535851937790883648493n
/** Signatures that careless libraries accept. */
export const signatures: readonly Attack[] = group('signatures', [
  ...(
    [
      ['r and s 0', 0n, 0n],
      ['r 0, s 1', 0n, 1n],
      ['r 1, s 0', 1n, 0n],
      ['r and s the order', order, order],
      ['r the order, s 1', order, 1n],
      ['r and s 1', 1n, 1n],
      ['r and s of 256 ones', 2n ** 256n - 1n, 2n ** 256n - 1n],
    ] as const
  ).map(
    ([name, r, sNumber]) =>
      [
        `ECDSA, ${name}`,
        () => withSignature('p256', () => Buffer.concat([number(r), number(sNumber)])),
      ] as const,
  ),
  [
    'ECDSA in DER',
    () => withSignature('p256', (_own, input) => signBytes('sha256', Buffer.from(input), privateKey('p256'))),
  ],
  [
    'ECDSA, s plus the order, which does not fit',
    () =>
      withSignature('p256', own =>
        Buffer.concat([
          own.subarray(0, 32),
          number((BigInt(`0x${own.subarray(32).toString('hex')}`) + order) & (2n ** 256n - 1n)),
        ]),
      ),
  ],
  [
    'ECDSA with zeros before r and s',
    () =>
      withSignature('p256', own =>
        Buffer.concat([Buffer.of(0), own.subarray(0, 32), Buffer.of(0), own.subarray(32)]),
      ),
  ],
  ['ECDSA of other claims', () => withSignature('p256', () => es.sign('other'))],
  ['HMAC cut to 16 bytes', () => withSignature('secret', own => own.subarray(0, 16))],
  ['HMAC cut to 31 bytes', () => withSignature('secret', own => own.subarray(0, 31))],
  ['HMAC with one byte more', () => withSignature('secret', own => Buffer.concat([own, Buffer.of(0)]))],
  ['HMAC of nothing', () => withSignature('secret', () => '')],
  [
    'HMAC with another hash',
    () =>
      withSignature('secret', (_own, input) =>
        hmac(Buffer.from(keyText('secret', 'secret'), 'base64url'), 'sha512')(input).subarray(0, 32),
      ),
  ],
  ...[0, 20, 31, 33, 222].map(
    salt =>
      [
        `PSS with a salt of ${salt} bytes`,
        () => compact({ alg: 'PS256', kid: 'rsa' }, goodClaims(), ps256(privateKey('rsa'), salt)),
      ] as const,
  ),
  [
    'PSS under RS256',
    () => compact({ alg: 'RS256', kid: 'rsa' }, goodClaims(), ps256(privateKey('rsa'), 32)),
  ],
  ['PKCS#1 under PS256', () => compact({ alg: 'PS256', kid: 'rsa' }, goodClaims(), rs256(privateKey('rsa')))],
  [
    'RSA, SHA-256 under RS512',
    () => compact({ alg: 'RS512', kid: 'rsa' }, goodClaims(), rs256(privateKey('rsa'))),
  ],
  ...([0n, 1n] as const).map(
    value =>
      [
        `RSA, the number ${value}`,
        () =>
          withSignature('rsa', own => Buffer.from(value.toString(16).padStart(own.length * 2, '0'), 'hex')),
      ] as const,
  ),
  ['RSA with a zero before it', () => withSignature('rsa', own => Buffer.concat([Buffer.of(0), own]))],
  ['RSA, the same number plus the modulus', () => withSignature('rsa', own => plusModulus(own))],
  [
    'Ed25519, R of small order and S 0',
    () => withSignature('ed25519', () => Buffer.concat([Buffer.of(1), Buffer.alloc(63)])),
  ],
  ['Ed25519, all zeros', () => withSignature('ed25519', () => Buffer.alloc(64))],
  [
    'Ed25519, S plus the order of the group',
    () => withSignature('ed25519', own => Buffer.concat([own.subarray(0, 32), plus(own.subarray(32), l)])),
  ],
  [
    'Ed25519 of the attacker',
    () =>
      compact(
        { alg: 'EdDSA', kid: 'ed25519' },
        goodClaims(),
        ed25519(generateKeyPairSync('ed25519').privateKey),
      ),
  ],
])

/** May be longer than the key: the receiver refuses either. */
function plusModulus(signature: Buffer): Buffer {
  const n = BigInt(
    `0x${Buffer.from(String(privateKey('rsa').export({ format: 'jwk' }).n), 'base64url').toString('hex')}`,
  )
  const sum = (BigInt(`0x${signature.toString('hex')}`) + n).toString(16)
  return Buffer.from(sum.padStart(sum.length + (sum.length % 2), '0'), 'hex')
}

/** Little-endian. */
function plus(bytes: Buffer, value: bigint): Buffer {
  const sum = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) + value
  return Buffer.from(sum.toString(16).padStart(64, '0'), 'hex').reverse()
}
