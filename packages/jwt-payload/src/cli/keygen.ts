// The certificate library needs it.
import 'reflect-metadata/lite'

import { resolve } from 'node:path'
import { KeyUsageFlags, KeyUsagesExtension, Name, X509CertificateGenerator } from '@peculiar/x509'
import { paint, printJson, type Terminal, UsageError, withProgress } from '@service-link/terminal'
import * as base64url from 'jose/base64url'
import { exportPKCS8 } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import type { Certificate } from '../errors/key-errors.ts'
import type { KeyPairAlgorithm } from '../keys/algorithms.ts'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import type { PartnerRegistration } from '../registration/partner-registration.ts'
import { quoteArgument, writeNewFiles } from './files.ts'

interface KeygenRequest {
  readonly name: string
  readonly id?: string
  readonly issuer?: string
  readonly out: string
  readonly algorithm?: KeyPairAlgorithm
  readonly days?: number
  readonly secret: boolean
  readonly json: boolean
}

export async function runKeygen(request: KeygenRequest, terminal: Terminal): Promise<undefined> {
  const registrant = readRegistrant(request)
  const made = request.secret
    ? await makeSecret(request, registrant)
    : await makeKeyPair(request, registrant, terminal)
  if (request.json) await printJson(made, terminal)
  terminal.tell(describeMadeKeys(made, terminal))
}

function readRegistrant({ name, id = idFromName(name), issuer }: KeygenRequest): Registrant {
  if (!/^[^\p{Cc}]{1,64}$/u.test(name) || name.trim() !== name)
    throw new UsageError('--name needs 1 to 64 characters, without white space around them.')
  if (id === '') throw new UsageError('The name has no letter or digit for an identifier. Give --id.')
  if (!/^\w[\w.-]{0,63}$/.test(id))
    throw new UsageError('--id needs 1 to 64 letters, digits, dots, underscores or hyphens.')
  if (issuer === '' || (issuer?.length ?? 0) > 1024)
    throw new UsageError('--issuer needs 1 to 1024 characters.')
  return { id, name, issuer }
}

async function makeKeyPair(
  { algorithm = 'RS256', days = 730, out }: KeygenRequest,
  registrant: Registrant,
  terminal: Terminal,
): Promise<MadeKeys> {
  const signal = terminal.interruption()
  const { privatePem, certificatePem } = await withProgress(terminal, 'Making the keys', () =>
    makeCertifiedKeys(algorithm, registrant.name, days, terminal.clock()),
  )
  const source = { kind: 'x509' as const, pem: certificatePem, algorithms: [algorithm] }
  // Imported as the service imports it.
  const { keyId, certificate } = await importVerificationKey(source, { clock: terminal.clock })
  if (keyId === undefined || !certificate) throw new TypeError('A certificate gave no key id.')
  signal.throwIfAborted()
  const [certificateFile = '', registrationFile = '', privateFile = ''] = await writeNewFiles(out, [
    { name: 'certificate.pem', content: certificatePem, isSecret: false },
    {
      name: 'registration.json',
      content: registrationJson(registrant, { ...source, kid: keyId }),
      isSecret: false,
    },
    { name: 'private.pem', content: privatePem, isSecret: true },
  ])
  return { algorithm, keyId, certificate, privateFile, publicFiles: [certificateFile, registrationFile] }
}

/** Tolerance for clocks that are behind, in milliseconds. */
const backdatedMs = 10 * 60 * 1000

const dayMs = 24 * 60 * 60 * 1000

/**
 * Makes a key pair (RSA with 3,072 bits, EC on the algorithm's curve, or Ed25519) with a self-signed certificate (RFC 5280) for
 * signatures. The service trusts it by registration, without a chain.
 *
 * @param name common name of subject and issuer, 1 to 64 characters
 */
async function makeCertifiedKeys(algorithm: KeyPairAlgorithm, name: string, days: number, now: Date) {
  // A plain RSA key: its registration binds it to RS or PS.
  const made = algorithm === 'PS256' ? 'RS256' : algorithm
  const keys = await generateKeyPair(made, { extractable: true, modulusLength: 3072 })
  // WebCrypto binds the others to their hash.
  const hash = made.startsWith('ES') ? { hash: `SHA-${made.slice(2)}` } : {}
  const start = Math.floor(now.getTime() / 1000) * 1000
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: makeSerialNumber(),
      // The library's syntax for names would split at commas and quotation marks.
      name: new Name([{ CN: [{ utf8String: name }] }]),
      notBefore: new Date(start - backdatedMs),
      notAfter: new Date(start + days * dayMs),
      keys,
      signingAlgorithm: { ...keys.privateKey.algorithm, ...hash },
      extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)],
    },
    crypto,
  )
  return {
    privatePem: `${await exportPKCS8(keys.privateKey)}\n`,
    certificatePem: `${certificate.toString('pem')}\n`,
  }
}

/** 127 random bits, positive and not 0, in hexadecimal. */
function makeSerialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

async function makeSecret({ out }: KeygenRequest, registrant: Registrant): Promise<MadeKeys> {
  const secret = base64url.encode(crypto.getRandomValues(new Uint8Array(48)))
  const keyId = crypto.randomUUID()
  const key = { kind: 'secret' as const, secret, kid: keyId, algorithms: ['HS256' as const] }
  const [privateFile = '', registrationFile = ''] = await writeNewFiles(out, [
    { name: 'secret.txt', content: `${secret}\n`, isSecret: true },
    { name: 'registration.json', content: registrationJson(registrant, key), isSecret: true },
  ])
  return { algorithm: 'HS256', keyId, certificate: undefined, privateFile, publicFiles: [registrationFile] }
}

type Registrant = Pick<PartnerRegistration, 'id' | 'name' | 'issuer'>

/** Content of a service's `PARTNERS_FILE`: a list with one registration of one key. */
function registrationJson(registrant: Registrant, key: PartnerRegistration['keys'][number]): string {
  const registration: PartnerRegistration = { ...registrant, keys: [key] }
  return `${JSON.stringify([registration], null, 2)}\n`
}

/** Latin letters that Unicode does not decompose. */
const latin = new Map(Object.entries({ ø: 'o', æ: 'ae', œ: 'oe', ß: 'ss', ð: 'd', þ: 'th', ł: 'l', đ: 'd' }))

/** Makes an identifier from a name: `Journal AS` gives `journal-as`. Empty when the name has no usable letter. */
function idFromName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øæœßðþłđ]/g, letter => latin.get(letter) ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64)
}

interface MadeKeys {
  readonly algorithm: string
  readonly keyId: string
  /** Undefined for a shared secret. */
  readonly certificate: Certificate | undefined
  /** Paths: the file to keep, and the others in the order of the text. */
  readonly privateFile: string
  readonly publicFiles: readonly string[]
}

function describeMadeKeys(made: MadeKeys, terminal: Pick<Terminal, 'hasColor'>): string {
  const bold = (text: string) => paint(terminal, 'bold', text)
  const red = (text: string) => paint(terminal, 'red', text)
  const { algorithm, keyId, certificate, privateFile, publicFiles } = made
  if (!certificate)
    return `${bold(`A shared secret for ${algorithm}, kid ${keyId}.`)}

  ${privateFile}
      ${red('keep it')} where only your server can read it
${publicFiles.map(file => `  ${file}`).join('\n')}
      for the service. ${red('The secret is in it')}: hand it over encrypted or in person, never by plain mail,
      and delete this copy afterwards. Whoever has it can sign as you.

${describeNext(made)}
`
  const [certificateFile, registrationFile] = publicFiles
  return `${bold(`A key pair for ${algorithm} with its certificate.`)}

  ${certificateFile}
      ${paint(terminal, 'green', 'mail')} this one to the service
  ${registrationFile}
      for your own tries, with verify and explain. Do not mail it: the service writes its own
  ${privateFile}
      ${red('never leaves')} your server: no mail, no repository, no ticket. Whoever has it can sign as you.

Read these to the service by telephone, so that it knows that the certificate came unchanged:
  SHA-256  ${withColons(certificate.thumbprint)}
  SHA-1    ${withColons(certificate.thumbprintSha1)}
  kid      ${keyId}
  valid    ${day(certificate.notBefore)} to ${day(certificate.notAfter)}

${describeNext(made)}
`
}

const sampleClaims =
  '{"organizationId":"org-1","employeeId":"emp-7","contact":{"id":"4711","firstname":"Ola"}}'

/** Where `npm run service` listens by default. */
const demoService = 'http://localhost:4280/partner/payload'

/** The commands that come next, to be copied as they are. */
function describeNext({ algorithm, certificate, keyId, privateFile, publicFiles }: MadeKeys): string {
  // An RSA key signs with RS256 by default.
  const option = algorithm === 'PS256' ? ' --algorithm PS256' : certificate ? '' : ` --kid ${keyId}`
  const isWindows = process.platform === 'win32'
  const registration = resolve(publicFiles.at(-1) ?? '')
  const variable = isWindows
    ? `set "PARTNERS_FILE=${registration}" &&`
    : `PARTNERS_FILE=${quoteArgument(registration)}`
  // As it was called: npx finds the program of an installed package, and a shell alone does not.
  const program = process.env.npm_lifecycle_event === 'npx' ? 'npx service-payload' : 'service-payload'
  const claims = `echo ${isWindows ? sampleClaims : `'${sampleClaims}'`} | ${program}`
  const key = `--key ${quoteArgument(resolve(privateFile))}${option}`
  return `Next, in your tests, give the parsed registration.json to a service:
  startTestService({ partner: registration }) of @service-link/receiver/test-service
Or start the demo service, in a clone of the service-link repository:
  ${variable} npm run service
Then sign a payload for it, or open it in your browser:
  ${claims} sign ${key} --audience ${demoService}
  ${claims} open ${key} ${demoService}`
}

function withColons(thumbprint: string): string {
  return thumbprint.replace(/(..)(?=.)/g, '$1:')
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}
