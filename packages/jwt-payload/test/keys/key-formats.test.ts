import { execFileSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { keyText } from '@service-link/test-kit/payload-vectors'
import { afterAll, describe, expect, test } from 'vitest'
import { KeyImportError } from '../../src/errors/key-errors.ts'
import { readValidity } from '../../src/keys/certificate-validity.ts'
import { nameInput } from '../../src/keys/foreign-keys.ts'
import { importVerificationKey } from '../../src/keys/import-verification-key.ts'
import { encodePem } from '../../src/keys/key-content.ts'
import { importSigningKey } from '../../src/keys/signing-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'key-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)

function run(tool: string, ...args: readonly string[]): void {
  execFileSync(tool, args, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
}

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
    ['PEM', spki],
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
    ['base64 of DER', base64(der(rsa.publicKey, 'spki'))],
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

test.skipIf(!isInstalled('openssl'))(
  'a certificate of version 1 is taken, also one with a serial number like the version of a CRL (needs openssl)',
  async () => {
    certificate()
    openssl('req', '-new', '-key', 'made.key', '-subj', '/CN=b', '-out', 'made.csr')
    for (const serial of ['0', '1', '4711']) {
      const signed = ['-CA', 'made.pem', '-CAkey', 'made.key', '-set_serial', serial, '-days', '9']
      openssl('x509', '-req', '-in', 'made.csr', ...signed, '-outform', 'DER', '-out', 'old.der')
      const file = readFileSync(at('old.der'))
      const key = await importVerificationKey({ kind: 'x509', pem: file })
      const { notBefore, notAfter } = readValidity(file)
      expect(key.certificate).toMatchObject({ notBefore, notAfter })
    }
  },
)

test('several different keys in a file are refused, none is chosen silently', async () => {
  const other = pem(generateKeyPairSync('ed25519').publicKey, 'spki')
  await expect(importVerificationKey({ kind: 'spki', pem: spki + other })).rejects.toThrow('2 different keys')
  const both = pkcs8 + pem(rsa.privateKey, 'pkcs8')
  await expect(importSigningKey({ kind: 'pkcs8', pem: both })).rejects.toThrow('2 different keys')
})

interface Format {
  readonly name: string
  readonly make: () => string | Uint8Array
  readonly says: string
  readonly signs: boolean
  /** Programs that the file or its command needs. */
  readonly needs: readonly string[]
  /** Answers of the command to questions for a pass phrase. */
  readonly options?: readonly string[]
}

function openssl(...args: readonly string[]): void {
  run('openssl', ...args)
}

function made(name: string, make: () => void): Buffer {
  make()
  return readFileSync(at(name))
}

function certificate(): void {
  writeFileSync(at('made.key'), pem(rsa.privateKey, 'pkcs8'))
  openssl('req', '-x509', '-key', 'made.key', '-subj', '/CN=a', '-days', '9', '-out', 'made.pem')
}

const request = (form: string) =>
  made('made.csr', () => {
    certificate()
    openssl('req', '-new', '-key', 'made.key', '-subj', '/CN=a', '-outform', form, '-out', 'made.csr')
  })

const pkcs7 = (form: string) =>
  made('made.p7b', () => {
    certificate()
    openssl('crl2pkcs7', '-nocrl', '-certfile', 'made.pem', '-outform', form, '-out', 'made.p7b')
  })

const pfx = (...options: readonly string[]) =>
  made('made.pfx', () => {
    certificate()
    openssl(
      'pkcs12',
      '-export',
      ...options,
      '-inkey',
      'made.key',
      '-in',
      'made.pem',
      '-passout',
      'pass:a',
      '-out',
      'made.pfx',
    )
  })

const oldPkcs8 = (version: string, cipher: string) =>
  made('old.pem', () => {
    certificate()
    const providers = ['-provider', 'legacy', '-provider', 'default', '-passout', 'pass:a']
    openssl('pkcs8', '-topk8', version, cipher, ...providers, '-in', 'made.key', '-out', 'old.pem')
  })

const explicit = (...args: readonly string[]) =>
  made('explicit.pem', () => {
    openssl(
      'ecparam',
      '-name',
      'prime256v1',
      '-genkey',
      '-noout',
      '-param_enc',
      'explicit',
      '-out',
      'explicit.key',
    )
    openssl(...args, '-out', 'explicit.pem')
  })

const sshKey = (type: string, suffix: string) =>
  made(`ssh-${type}${suffix}`, () => {
    if (!existsSync(at(`ssh-${type}`))) run('ssh-keygen', '-q', '-t', type, '-N', '', '-f', at(`ssh-${type}`))
  })

const inStore = ['-keystore', at('made.jks'), '-storepass', 'changeit', '-keypass', 'changeit']

/** A keystore with a key for each alias, and others' certificates. */
const jks = (type: string, aliases: readonly string[], trusted: readonly string[] = []) =>
  made('made.jks', () => {
    rmSync(at('made.jks'), { force: true })
    certificate()
    for (const alias of trusted) {
      const names = ['-noprompt', '-alias', alias, '-file', at('made.pem'), '-storetype', type]
      run('keytool', '-importcert', ...names, ...inStore)
    }
    for (const alias of aliases) {
      const key = ['-keyalg', 'RSA', '-keysize', '2048', '-dname', 'CN=a']
      run('keytool', '-genkeypair', ...key, '-alias', alias, '-storetype', type, ...inStore)
    }
  })

/** A certificate that the converted one is not. */
const stored = { signs: false, needs: ['keytool', 'openssl'], options: ['-storepass', 'changeit'] } as const

const jwk = rsa.privateKey.export({ format: 'jwk' })
const xmlNumbers = (...names: readonly (readonly [string, string | undefined])[]) =>
  `<RSAKeyValue>${names.map(([name, value = '']) => `<${name}>${base64(new Uint8Array(Buffer.from(value, 'base64url')))}</${name}>`).join('')}</RSAKeyValue>`
const xmlPublic = xmlNumbers(['Modulus', jwk.n], ['Exponent', jwk.e])
const xmlPrivate = xmlNumbers(
  ...([
    ['Modulus', jwk.n],
    ['Exponent', jwk.e],
    ['P', jwk.p],
    ['Q', jwk.q],
    ['DP', jwk.dp],
    ['DQ', jwk.dq],
    ['InverseQ', jwk.qi],
    ['D', jwk.d],
  ] as const),
)

const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'a' } as const
const legacyEncrypted = { ...encrypted, type: 'pkcs1' } as const
const passphrase = ['-passin', 'pass:a']

/** Files that the wanted side does not take as they are. */
const formats: readonly Format[] = [
  {
    name: 'PKCS#1, public',
    make: () => pem(rsa.publicKey, 'pkcs1'),
    says: 'PKCS#1',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'PKCS#1, public, DER',
    make: () => der(rsa.publicKey, 'pkcs1'),
    says: 'PKCS#1',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'PKCS#1, public, base64',
    make: () => base64(der(rsa.publicKey, 'pkcs1')),
    says: 'PKCS#1',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'PKCS#1, private',
    make: () => pem(rsa.privateKey, 'pkcs1'),
    says: 'PKCS#1',
    signs: true,
    needs: ['openssl'],
  },
  {
    name: 'PKCS#1, private, DER',
    make: () => der(rsa.privateKey, 'pkcs1'),
    says: 'PKCS#1',
    signs: true,
    needs: ['openssl'],
  },
  { name: 'SEC1', make: () => pem(ec.privateKey, 'sec1'), says: 'SEC1', signs: true, needs: ['openssl'] },
  {
    name: 'SEC1 behind parameters',
    make: () => parameters + pem(ec.privateKey, 'sec1'),
    says: 'SEC1',
    signs: true,
    needs: ['openssl'],
  },
  {
    name: 'SEC1, DER',
    make: () => der(ec.privateKey, 'sec1'),
    says: 'SEC1',
    signs: true,
    needs: ['openssl'],
  },
  {
    name: 'PKCS#8, encrypted',
    make: () => String(rsa.privateKey.export(encrypted)),
    says: 'encrypted',
    signs: true,
    needs: ['openssl'],
    options: passphrase,
  },
  {
    name: 'PKCS#1, encrypted',
    make: () => String(rsa.privateKey.export(legacyEncrypted)),
    says: 'encrypted',
    signs: true,
    needs: ['openssl'],
    options: passphrase,
  },
  {
    name: 'a private key where a public one is wanted',
    make: () => pem(ed25519.privateKey, 'pkcs8'),
    says: 'stays with the partner',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'a private key in DER where a public one is wanted',
    make: () => der(ed25519.privateKey, 'pkcs8'),
    says: 'stays with the partner',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'SEC1 where a public one is wanted',
    make: () => pem(ec.privateKey, 'sec1'),
    says: 'stays with the partner',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'a certificate behind its private key',
    make: () => {
      certificate()
      return pem(rsa.privateKey, 'pkcs8') + readFileSync(at('made.pem'), 'utf8')
    },
    says: 'stays with the partner',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'a request for a certificate',
    make: () => request('PEM'),
    says: 'CSR',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'a request, labeled as Windows does',
    make: () => request('PEM').toString().replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'),
    says: 'CSR',
    signs: false,
    needs: ['openssl'],
  },
  { name: 'a request in DER', make: () => request('DER'), says: 'CSR', signs: false, needs: ['openssl'] },
  { name: 'PKCS#7', make: () => pkcs7('PEM'), says: 'PKCS#7', signs: false, needs: ['openssl'] },
  { name: 'PKCS#7 in DER', make: () => pkcs7('DER'), says: 'PKCS#7', signs: false, needs: ['openssl'] },
  {
    name: 'PKCS#12',
    make: () => pfx(),
    says: 'PKCS#12',
    signs: false,
    needs: ['openssl'],
    options: passphrase,
  },
  {
    name: 'PKCS#12 with ciphers of old programs',
    make: () => pfx('-legacy'),
    says: 'PKCS#12',
    signs: false,
    needs: ['openssl'],
    options: passphrase,
  },
  {
    name: 'PKCS#12 with ciphers of old programs to sign',
    make: () => pfx('-legacy'),
    says: 'PKCS#12',
    signs: true,
    needs: ['openssl'],
    options: passphrase,
  },
  ...['-v1', '-v2'].map(version => ({
    name: `PKCS#8, encrypted with a cipher of old programs (${version})`,
    make: () => oldPkcs8(version, version === '-v1' ? 'PBE-MD5-DES' : 'des'),
    says: 'encrypted',
    signs: true,
    needs: ['openssl'],
    options: passphrase,
  })),
  {
    name: 'PKCS#8, encrypted with a cipher of old programs, where a public one is wanted',
    make: () => oldPkcs8('-v1', 'PBE-MD5-DES'),
    says: 'stays with the partner',
    signs: false,
    needs: ['openssl'],
    options: passphrase,
  },
  {
    name: 'PKCS#12 to sign',
    make: () => pfx(),
    says: 'PKCS#12',
    signs: true,
    needs: ['openssl'],
    options: passphrase,
  },
  {
    name: 'a trusted certificate',
    make: () =>
      made('trusted.pem', () => {
        certificate()
        openssl('x509', '-in', 'made.pem', '-addtrust', 'clientAuth', '-trustout', '-out', 'trusted.pem')
      }),
    says: 'trust settings',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'explicit parameters, public',
    make: () => explicit('pkey', '-in', 'explicit.key', '-pubout'),
    says: 'explicit parameters',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'explicit parameters, private',
    make: () => explicit('pkey', '-in', 'explicit.key'),
    says: 'explicit parameters',
    signs: true,
    needs: ['openssl'],
  },
  {
    name: 'explicit parameters in SEC1',
    make: () => explicit('ec', '-in', 'explicit.key'),
    says: 'explicit parameters',
    signs: true,
    needs: ['openssl'],
  },
  {
    name: 'explicit parameters in DER',
    make: () => explicit('pkey', '-in', 'explicit.key', '-pubout', '-outform', 'DER'),
    says: 'explicit parameters',
    signs: false,
    needs: ['openssl'],
  },
  {
    name: 'explicit parameters in a certificate',
    make: () => explicit('req', '-x509', '-key', 'explicit.key', '-subj', '/CN=a'),
    says: 'explicit parameters',
    signs: false,
    needs: ['openssl'],
  },
  ...(['rsa', 'ecdsa', 'ed25519'] as const).map(type => ({
    name: `an SSH key, ${type}`,
    make: () => sshKey(type, '.pub'),
    says: 'SSH',
    signs: false,
    needs: ['ssh-keygen'],
  })),
  ...(['rsa', 'ecdsa'] as const).map(type => ({
    name: `an SSH private key, ${type}`,
    make: () => sshKey(type, ''),
    says: 'SSH',
    signs: true,
    needs: ['ssh-keygen'],
  })),
  ...(['rsa', 'ecdsa', 'ed25519'] as const).flatMap(type => [
    {
      name: `an SSH key of RFC 4716, ${type}`,
      make: () => {
        sshKey(type, '')
        return execFileSync('ssh-keygen', ['-e', '-f', at(`ssh-${type}`)])
      },
      says: 'RFC 4716',
      signs: false,
      needs: ['ssh-keygen'],
    },
    {
      name: `a line of authorized_keys with options, ${type}`,
      make: () => `# Kari\nfrom="10.0.0.0/8,*.a b",no-pty ${sshKey(type, '.pub')}`,
      says: 'SSH',
      signs: false,
      needs: ['ssh-keygen'],
    },
  ]),
  { name: 'a keystore of Java', make: () => jks('JKS', ['tomcat']), says: 'JKS', ...stored },
  {
    name: 'a keystore of Java whose name has a blank',
    make: () => jks('JCEKS', ['min key']),
    says: 'JKS',
    ...stored,
  },
  {
    name: 'a keystore of Java with a certificate of another',
    make: () => jks('JKS', ['tomcat'], ['root']),
    says: 'JKS',
    ...stored,
  },
  {
    name: 'a keystore of Java with a certificate alone',
    make: () => jks('JKS', [], ['root']),
    says: 'JKS',
    ...stored,
  },
  { name: 'XML of .NET', make: () => xmlPublic, says: 'XML of .NET', signs: false, needs: [] },
  {
    name: 'XML of .NET with the private key',
    make: () => xmlPrivate,
    says: 'stays with the partner',
    signs: false,
    needs: [],
  },
  { name: 'XML of .NET to sign', make: () => xmlPrivate, says: 'XML of .NET', signs: true, needs: [] },
]

describe('another format is named, and its command gives a file that is taken', () => {
  for (const { name, make, says, signs, needs, options = [] } of formats)
    test.skipIf(![...needs, 'sh'].every(isInstalled))(
      `${name} (needs ${[...needs, 'sh'].join(', ')})`,
      async () => {
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
        execFileSync('sh', ['-c', line], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
        const converted = await importContent(readFileSync(at(out)), signs)
        expect(converted.keyId).toMatch(/^[\w-]{43}$/)
      },
    )
})

test.skipIf(!['node', 'sh'].every(isInstalled))(
  'a JWK with certificates alone is refused, and the command of the error writes the certificate (needs node, sh)',
  async () => {
    const { raw } = new X509Certificate(keyText('certificate', 'pem'))
    const x5c = [raw.toString('base64')]
    for (const jwk of [
      { kty: 'RSA', x5c },
      { x5c, n: '', d: null },
    ]) {
      const importing = Reflect.apply(importVerificationKey, undefined, [{ kind: 'jwk', jwk }])
      const error: unknown = await importing.catch((failure: unknown) => failure)
      const command = error instanceof KeyImportError ? (error.command ?? '') : ''
      expect(String(error)).toMatch(/only x5c.* key\.json$/)
      writeFileSync(at('key.json'), JSON.stringify(jwk))
      execFileSync('sh', ['-c', command], { cwd: folder })
      expect(new X509Certificate(readFileSync(at('new-certificate.pem'))).raw).toEqual(raw)
    }
  },
)

function importContent(content: string | Uint8Array, signs: boolean) {
  if (signs) return importSigningKey({ kind: 'pkcs8', pem: content })
  const kind = Buffer.from(content).includes('CERTIFICATE-----') ? 'x509' : 'spki'
  return importVerificationKey({ kind, pem: content })
}

const diffieHellman = encodePem(Uint8Array.of(48, 6, 2, 1, 23, 2, 1, 5), 'DH PARAMETERS')
const fiveHyphens =
  'exactly five hyphens on each side, -----BEGIN PUBLIC KEY----- and -----END PUBLIC KEY-----'

test.each([
  ['PGP', '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----\n', 'PGP key'],
  ['PuTTY', 'PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n', 'puttygen key.ppk -O public-openssh'],
  ['a key of PuTTY', 'PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n', 'stays with the partner'],
  [
    'an SSH key for a security key',
    'sk-ssh-ed25519@openssh.com AAAAGnNr kari@journal\n',
    'SSH key of a type',
  ],
  ['an SSH key for DSA', 'no-pty ssh-dss AAAAB3Nz kari@journal\n', 'SSH key of a type'],
  ['parameters alone', parameters, 'it holds only parameters, and no key'],
  ['parameters of Diffie-Hellman', diffieHellman, 'it holds only parameters, and no key'],
  ['four hyphens', spki.replaceAll('-----', '----'), fiveHyphens],
  ['four hyphens at the end', spki.replace(/-----\s*$/, '----'), fiveHyphens],
  ['dashes of a word processor', spki.replaceAll('-----', '—-'), fiveHyphens],
  [
    'blanks beside the words',
    spki.replaceAll(/-----((?:BEGIN|END) PUBLIC KEY)-----/g, '----- $1 -----'),
    fiveHyphens,
  ],
  ['small letters', spki.replaceAll('BEGIN PUBLIC KEY', 'Begin public key'), fiveHyphens],
  ['a private key with four hyphens', pkcs8.replaceAll('-----', '----'), 'stays with the partner'],
  ['a block without an end', spki.slice(0, 200), 'cut off'],
  ['bytes that are nothing known', Uint8Array.of(0, 255, 254, 1), 'neither PEM, nor DER'],
  [
    'a list of revoked certificates',
    encodePem(Uint8Array.of(48, 12, 48, 6, 48, 0, 48, 0, 23, 0, 48, 0, 3, 0), 'X509 CRL'),
    'revoked',
  ],
])('%s is named where a public key is wanted', async (_name, content, words) => {
  await expect(importVerificationKey({ kind: 'spki', pem: content })).rejects.toThrow(words)
})

test('a public key, a private key and a certificate are never taken for each other', async () => {
  const publicPem = pem(createPublicKey(ec.privateKey), 'spki')
  const relabeled = pkcs8.replaceAll('PRIVATE KEY', 'PUBLIC KEY')
  await expect(importVerificationKey({ kind: 'spki', pem: relabeled })).rejects.toThrow(
    'stays with the partner',
  )
  await expect(importSigningKey({ kind: 'pkcs8', pem: publicPem })).rejects.toThrow('cannot sign')
  await expect(importVerificationKey({ kind: 'x509', pem: publicPem })).rejects.toThrow('with kind spki')
})

test('a keystore of Java with several keys is listed, because a silent choice would take the wrong one', async () => {
  // A damaged store, and a name that is no plain word, are not read further.
  const entry = (alias: string) =>
    `\0\0\0\x01\0${String.fromCharCode(alias.length)}${alias}${'\0'.repeat(16)}`
  for (const entries of [entry('a') + entry('b'), entry('a').slice(0, 9), entry('$(a)'), entry('-a')]) {
    const count = entries === entry('a') + entry('b') ? 2 : 1
    const head = [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, count]
    const pem = Uint8Array.from([...head, ...Buffer.from(entries, 'latin1')])
    await expect(importVerificationKey({ kind: 'spki', pem })).rejects.toMatchObject({
      problem: expect.stringContaining('-alias and its name, which this command lists'),
      command: 'keytool -list -keystore key.jks',
    })
    await expect(importSigningKey({ kind: 'pkcs8', pem })).rejects.toThrow(
      'take out what is needed with: keytool -importkeystore',
    )
  }
})

test('the XML of .NET with a public key alone cannot sign, and no command is given', async () => {
  await expect(importSigningKey({ kind: 'pkcs8', pem: xmlPublic })).rejects.toMatchObject({
    problem: expect.stringContaining('cannot sign'),
    command: undefined,
  })
})
