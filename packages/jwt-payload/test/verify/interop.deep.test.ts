import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import {
  url as audience,
  keyText,
  nameOfKeyFor,
  payload,
  registeredKey,
  signingKey,
} from '@service-link/test-kit/payload-vectors'
import { createSigner, createVerifier, type Algorithm as FastAlgorithm } from 'fast-jwt'
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import jsonwebtoken, { type Algorithm } from 'jsonwebtoken'
import { describe, expect, test } from 'vitest'
import {
  importVerificationKey,
  type PayloadAlgorithm,
  payloadAlgorithms,
  signPayload,
  verifyPayload,
} from '../../src/index.ts'

interface Keys {
  readonly signing: KeyObject | Buffer
  readonly verifying: KeyObject | Buffer
}

/** A library that signs and verifies for the whole world. It knows the names of RFC 7518. */
interface Peer {
  readonly name: string
  readonly algorithms: readonly PayloadAlgorithm[]
  sign(claims: JWTPayload, algorithm: PayloadAlgorithm, kid: string, keys: Keys): string | Promise<string>
  verify(token: string, algorithm: PayloadAlgorithm, keys: Keys): unknown
}

const pemOf = (key: KeyObject | Buffer, type: 'pkcs8' | 'spki') =>
  Buffer.isBuffer(key) ? key : String(key.export({ format: 'pem', type }))

const peers: readonly Peer[] = [
  {
    name: 'jose',
    algorithms: payloadAlgorithms,
    sign: (claims, alg, kid, { signing }) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(signing),
    verify: async (token, alg, { verifying }) =>
      (await jwtVerify(token, verifying, { algorithms: [alg], audience })).payload,
  },
  {
    name: 'jsonwebtoken',
    // It knows no EdDSA.
    algorithms: payloadAlgorithms.filter(algorithm => algorithm !== 'EdDSA'),
    sign: (claims, alg, keyid, { signing }) =>
      jsonwebtoken.sign(claims, signing, { algorithm: nameOf(alg), keyid }),
    verify: (token, alg, { verifying }) =>
      jsonwebtoken.verify(token, verifying, { algorithms: [nameOf(alg)], audience }),
  },
  {
    name: 'fast-jwt',
    algorithms: payloadAlgorithms,
    sign: (claims, algorithm, kid, { signing }) =>
      createSigner({ algorithm: fastNameOf(algorithm), kid, key: pemOf(signing, 'pkcs8') })(claims),
    verify: (token, algorithm, { verifying }) =>
      createVerifier({
        algorithms: [fastNameOf(algorithm)],
        allowedAud: audience,
        key: pemOf(verifying, 'spki'),
      })(token),
  },
]

function nameOf(algorithm: PayloadAlgorithm): Algorithm {
  if (algorithm === 'EdDSA') throw new TypeError('jsonwebtoken knows no EdDSA.')
  return algorithm
}

const fastNameOf = (algorithm: PayloadAlgorithm): FastAlgorithm => algorithm

function keysFor(name: string): Keys {
  const registered = registeredKey(name)
  if (registered.kind === 'secret') {
    const secret = Buffer.from(String(registered.secret), 'base64url')
    return { signing: secret, verifying: secret }
  }
  const signing = createPrivateKey(keyText(name, 'privatePem'))
  return { signing, verifying: createPublicKey(signing) }
}

describe.each(peers)('[5.1-signed] $name', ({ algorithms, sign, verify }) => {
  test.each(algorithms)('%s: it verifies our token, and we verify its', async algorithm => {
    const name = nameOfKeyFor(algorithm)
    const keys = keysFor(name)
    const ours = await signPayload(payload, { ...signingKey(name), algorithm }, { audience })
    expect(await verify(ours, algorithm, keys)).toMatchObject(payload)

    const registered = await importVerificationKey(registeredKey(name))
    const iat = Math.floor(Date.now() / 1000)
    const claims = { ...payload, iat, exp: iat + 60, aud: audience, jti: crypto.randomUUID() }
    const theirs = await sign(claims, algorithm, name, keys)
    expect(await verifyPayload(theirs, { keys: registered, audience })).toMatchObject({ algorithm, payload })
  })
})
