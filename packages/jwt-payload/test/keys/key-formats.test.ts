import { execFileSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { keyText } from '@service-link/test-kit/payload-vectors'
import { afterAll, describe, expect, test } from 'vitest'
import { KeyImportError } from '../../src/errors/key-errors.ts'
import { readValidity } from '../../src/keys/certificate.ts'
import { nameInput } from '../../src/keys/foreign-keys.ts'
import { importVerificationKey } from '../../src/keys/import-verification-key.ts'
import { encodePem } from '../../src/keys/key-content.ts'
import { importSigningKey } from '../../src/keys/signing-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'key-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed25519 = generateKeyPairSync('ed25519')

type Form = 'spki' | 'pkcs8' | 'pkcs1' | 'sec1'
const pem = (key: KeyObject, type: Form) => String(key.export({ format: 'pem', type }))
const der = (key: KeyObject, type: Form) =>
  new Uint8Array(Buffer.from(pem(key, type).replace(/-----.*-----/g, ''), 'base64'))

const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
const utf16BigEndian = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const parameters = encodePem(Uint8Array.of(6, 8, 42, 134, 72, 206, 61, 3, 1, 7), 'EC PARAMETERS')
const spki = pem(rsa.publicKey, 'spki')
const pkcs8 = pem(ec.privateKey, 'pkcs8')

describe('a file of a public key is read', () => {
  test.each<[string, string | Uint8Array]>([
    ['PEM as bytes', new TextEncoder().encode(spki)],
    ['PEM with CRLF', spki.replaceAll('\n', '\r\n')],
    ['PEM with text around it', `Our key:\n${spki}-- \nKari`],
    ['PEM with indentation', spki.replaceAll(/^/gm, '    ')],
    ['PEM in UTF-8 with a byte order mark', `\ufeff${spki}`],
    ['PEM in UTF-16', utf16(spki)],
    ['PEM in UTF-16, big-endian', utf16BigEndian(spki)],
    ['PEM in UTF-16 without a mark', utf16(spki).subarray(2)],
    ['PEM in UTF-16 without a mark, big-endian', utf16BigEndian(spki).subarray(2)],
    ['PEM behind parameters', parameters + spki],
    ['PEM twice', spki + spki],
    ['DER', der(rsa.publicKey, 'spki')],
    ['base64 of DER in lines', base64(der(rsa.publicKey, 'spki')).replaceAll(/.{64}/g, '$&\r\n')],
  ])('%s', async (_name, content) => {
    const key = await importVerificationKey({ kind: 'spki', pem: content })
    const expected = await importVerificationKey({ kind: 'spki', pem: spki })
    expect(key.keyId).toBe(expected.keyId)
  })
})

test.each<[string, string | Uint8Array]>([
  ['DER', der(ec.privateKey, 'pkcs8')],
  ['UTF-16', utf16(pkcs8)],
  ['PEM behind parameters and another format', parameters + spki + pkcs8],
])('a file of a private key is read: %s', async (_name, content) => {
  expect((await importSigningKey({ kind: 'pkcs8', pem: content })).algorithm).toBe('ES256')
})

test('several different keys in a file are refused, none is chosen silently', async () => {
  const other = pem(ed25519.publicKey, 'spki')
  await expect(importVerificationKey({ kind: 'spki', pem: spki + other })).rejects.toThrow('2 different keys')
  const both = pkcs8 + pem(rsa.privateKey, 'pkcs8')
  await expect(importSigningKey({ kind: 'pkcs8', pem: both })).rejects.toThrow('2 different keys')
})

test('a public key, a private key and a certificate are never taken for each other', async () => {
  const publicPem = pem(createPublicKey(ec.privateKey), 'spki')
  const relabelled = pkcs8.replaceAll('PRIVATE KEY', 'PUBLIC KEY')
  const registered = importVerificationKey({ kind: 'spki', pem: relabelled })
  await expect(registered).rejects.toThrow('stays with the partner')
  await expect(importSigningKey({ kind: 'pkcs8', pem: publicPem })).rejects.toThrow('cannot sign')
  await expect(importVerificationKey({ kind: 'x509', pem: publicPem })).rejects.toThrow('with kind spki')
})

/** Runs openssl with arguments that hold no blank. */
function openssl(line: string): void {
  execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' })
}

/** The file that openssl writes as `made`, beside a private key and its certificate. */
function made(line: string): Buffer {
  writeFileSync(at('made.key'), pem(rsa.privateKey, 'pkcs8'))
  openssl('req -x509 -key made.key -subj /CN=a -days 9 -out made.pem')
  openssl(line)
  return readFileSync(at('made'))
}

const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'a' } as const
const passphrase = ['-passin', 'pass:a']
const pfx = () => made('pkcs12 -export -inkey made.key -in made.pem -passout pass:a -out made')

/** Files that the wanted side does not take: what they are, whether they are to sign, and answers for their command. */
const formats: readonly (readonly [
  name: string,
  says: string,
  signs: boolean,
  make: () => string | Uint8Array,
  options?: readonly string[],
])[] = [
  ['PKCS#1, public', 'PKCS#1', false, () => pem(rsa.publicKey, 'pkcs1')],
  ['PKCS#1, public, DER', 'PKCS#1', false, () => der(rsa.publicKey, 'pkcs1')],
  ['PKCS#1, private', 'PKCS#1', true, () => pem(rsa.privateKey, 'pkcs1')],
  ['PKCS#1, private, DER', 'PKCS#1', true, () => der(rsa.privateKey, 'pkcs1')],
  ['SEC1 behind parameters', 'SEC1', true, () => parameters + pem(ec.privateKey, 'sec1')],
  ['SEC1, DER', 'SEC1', true, () => der(ec.privateKey, 'sec1')],
  ['PKCS#8, encrypted', 'encrypted', true, () => String(rsa.privateKey.export(encrypted)), passphrase],
  [
    'PKCS#1, encrypted',
    'encrypted',
    true,
    () => String(rsa.privateKey.export({ ...encrypted, type: 'pkcs1' })),
    passphrase,
  ],
  ['a private key to verify', 'stays with the partner', false, () => pem(ed25519.privateKey, 'pkcs8')],
  ['a private key in DER to verify', 'stays with the partner', false, () => der(ed25519.privateKey, 'pkcs8')],
  ['SEC1 to verify', 'stays with the partner', false, () => pem(ec.privateKey, 'sec1')],
  [
    'a certificate behind its private key',
    'stays with the partner',
    false,
    () => pem(rsa.privateKey, 'pkcs8') + keyText('certificate', 'pem'),
  ],
  ['a request', 'CSR', false, () => made('req -new -key made.key -subj /CN=a -out made')],
  ['a request in DER', 'CSR', false, () => made('req -new -key made.key -subj /CN=a -outform DER -out made')],
  ['PKCS#7', 'PKCS#7', false, () => made('crl2pkcs7 -nocrl -certfile made.pem -out made')],
  ['PKCS#7, DER', 'PKCS#7', false, () => made('crl2pkcs7 -nocrl -certfile made.pem -outform DER -out made')],
  ['PKCS#12', 'PKCS#12', false, pfx, passphrase],
  ['PKCS#12 to sign', 'PKCS#12', true, pfx, passphrase],
]

describe.skipIf(!['openssl', 'sh'].every(isInstalled))('with openssl and a shell', () => {
  test.for(formats)(
    '%s is named, and its command gives a file that is taken',
    async ([, says, signs, make, options = []]) => {
      const content = make()
      const error = await importContent(content, signs).catch((failure: unknown) => failure)
      if (!(error instanceof KeyImportError)) throw new TypeError('It was read.', { cause: error })
      const { message, command = '' } = error
      expect(message).toContain(says)
      expect(message.endsWith(`: ${command}`) && !command.endsWith('.')).toBe(true)
      writeFileSync(at('given file'), content, { mode: 0o600 })
      const [, out = ''] = /(new-(?:public|private|certificate)\.pem)(?!.*new-)/.exec(command) ?? []
      rmSync(at(out), { force: true })
      const line = [nameInput(command, "'given file'"), ...options].join(' ')
      execFileSync('sh', ['-c', line], { cwd: folder, stdio: 'ignore' })
      const converted = await importContent(readFileSync(at(out)), signs)
      expect(converted.keyId).toMatch(/^[\w-]{43}$/)
    },
  )

  test('a JWK with certificates alone is refused, and the command of the error writes the certificate', async () => {
    const { raw } = new X509Certificate(keyText('certificate', 'pem'))
    const jwk = { x5c: [raw.toString('base64')], n: '', d: null }
    const importing = Reflect.apply(importVerificationKey, undefined, [{ kind: 'jwk', jwk }])
    const error: unknown = await importing.catch((failure: unknown) => failure)
    const command = error instanceof KeyImportError ? (error.command ?? '') : ''
    expect(String(error)).toMatch(/only x5c.* key\.json$/)
    writeFileSync(at('key.json'), JSON.stringify(jwk))
    execFileSync('sh', ['-c', command], { cwd: folder })
    expect(new X509Certificate(readFileSync(at('new-certificate.pem'))).raw).toEqual(raw)
  })

  test.each(['0', '1', '4711'])('a certificate of version 1 with serial number %s is taken', async serial => {
    made('req -new -key made.key -subj /CN=b -out made.csr')
    const signed = `-CA made.pem -CAkey made.key -set_serial ${serial} -days 9`
    openssl(`x509 -req -in made.csr ${signed} -outform DER -out old.der`)
    const file = readFileSync(at('old.der'))
    const { certificate } = await importVerificationKey({ kind: 'x509', pem: file })
    expect(certificate).toMatchObject(readValidity(file))
  })

  test('a curve that is written by its numbers is refused', async () => {
    openssl('ecparam -name prime256v1 -genkey -noout -param_enc explicit -out made')
    openssl('pkey -in made -out explicit.key')
    openssl('pkey -in made -pubout -out explicit.pub')
    for (const [file, signs] of [
      ['explicit.key', true],
      ['explicit.pub', false],
    ] as const)
      await expect(importContent(readFileSync(at(file)), signs)).rejects.toThrow('explicit parameters')
  })
})

function importContent(content: string | Uint8Array, signs: boolean) {
  if (signs) return importSigningKey({ kind: 'pkcs8', pem: content })
  const kind = Buffer.from(content).includes('CERTIFICATE-----') ? 'x509' : 'spki'
  return importVerificationKey({ kind, pem: content })
}

const needed = 'it needs a PEM block, -----BEGIN PUBLIC KEY-----'

test.each<[string, string | Uint8Array, string]>([
  ['an SSH public key', 'ssh-rsa AAAAB3Nz kari@journal\n', ': ssh-keygen -e -m PKCS8 -f key.pub'],
  ['one for Ed25519', 'ssh-ed25519 AAAAC3Nz kari@journal\n', 'OpenSSH does not convert; make another with'],
  ['an SSH private key', encodePem(new Uint8Array(64), 'OPENSSH PRIVATE KEY'), 'service-payload keygen'],
  ['a keystore of Java', Uint8Array.of(0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2), '): keytool -exportcert'],
  ['XML of .NET', '<RSAKeyValue><Modulus>AQ==</Modulus></RSAKeyValue>', 'ExportSubjectPublicKeyInfoPem'],
  ['parameters alone', parameters, needed],
  ['four hyphens', spki.replaceAll('-----', '----'), needed],
  ['a private key with four hyphens', pkcs8.replaceAll('-----', '----'), 'stays with the partner'],
  ['a block without an end', spki.slice(0, 200), 'cut off'],
  ['bytes that are nothing known', Uint8Array.of(0, 255, 254, 1), 'neither PEM, nor DER'],
])('%s is named where a public key is wanted', async (_name, content, words) => {
  await expect(importVerificationKey({ kind: 'spki', pem: content })).rejects.toThrow(words)
})
