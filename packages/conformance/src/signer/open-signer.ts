import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  importSigningKey,
  importVerificationKey,
  type SigningKey,
  type VerificationKey,
} from '@service-link/jwt-payload'
import { type ProgramEnd, runProgram } from '../programs/run-program.ts'
import { fillWords } from '../programs/split-words.ts'
import { temporaryFolder } from '../programs/temporary-folder.ts'

export const signerAlgorithms = ['RS256', 'ES256', 'HS256'] as const

/** A program that reads claims as JSON from standard input and prints a token. */
export interface SignerTarget {
  /** Words of its command line. `{key}`, `{kid}`, `{audience}` and `{issuer}` stand for the values of the run. */
  readonly program: readonly string[]
  /**
   * RS256 and ES256: the file `{key}` is a private key in PKCS #8 PEM. HS256: it is a shared secret in base64url. Default RS256.
   */
  readonly algorithm?: (typeof signerAlgorithms)[number] | undefined
}

/** The signer under test, with the keys that the runner made. */
export interface SignerSubject extends AsyncDisposable {
  readonly audience: string
  /** The registered issuer, and whether the program is given it. */
  readonly issuer: string
  readonly isIssuerGiven: boolean
  readonly kid: string
  readonly keys: VerificationKey
  readonly key: SigningKey
  readonly algorithm: string
  /** The private key or the secret, which no output may have. */
  readonly secret: string
  sign(claims: string, signal: AbortSignal): Promise<ProgramEnd>
}

const audience = 'https://sso.example/partner/payload'
const issuer = 'https://partner.example'
const kid = 'conformance-2026'

/** A zone in which no hour of the local clock is one of UTC: programs that mix them up show it. */
const foreignZone = 'Asia/Kolkata'

export async function openSigner({ program, algorithm = 'RS256' }: SignerTarget): Promise<SignerSubject> {
  const folder = await temporaryFolder()
  const { secret, source, signing } = makeKey(algorithm)
  const key = join(folder.path, algorithm === 'HS256' ? 'secret.txt' : 'private.pem')
  await writeFile(key, secret, { mode: 0o600 })
  const words = fillWords(program, { key, kid, audience, issuer })
  return {
    audience,
    issuer,
    isIssuerGiven: program.some(word => word.includes('{issuer}')),
    kid,
    algorithm,
    secret,
    key: await importSigningKey({ ...signing, kid }),
    keys: await importVerificationKey({ ...source, kid }),
    sign: (input, signal) => runProgram(words, { input, signal, environment: { TZ: foreignZone } }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

function makeKey(algorithm: (typeof signerAlgorithms)[number]) {
  if (algorithm === 'HS256') {
    const secret = randomBytes(32).toString('base64url')
    const source = { kind: 'secret' as const, secret }
    return { secret, source, signing: source }
  }
  const { privateKey, publicKey } =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const secret = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
  return { secret, source: { kind: 'spki' as const, pem }, signing: { kind: 'pkcs8' as const, pem: secret } }
}
