import { KeyImportError, privateKeyProblem, publicKeyProblem } from '../errors/key-errors.ts'
import { hex, type KeyContent, type WantedLabel } from './key-content.ts'

/** A format that people give and that is not read. */
interface ForeignFormat {
  /** What it is, as a clause. */
  readonly is: string
  readonly holds: 'private' | 'public' | 'both'
  /** Commands that write the certificate or public key, and the private key. `key.…` is the file, as in {@link nameInput}. */
  readonly toPublic?: string
  readonly toPrivate?: string
  /** Before the command. Default `convert it with`. */
  readonly advice?: string
}

const opensslPublic = 'openssl pkey -in key.pem -pubout -out new-public.pem'
const opensslPrivate = 'openssl pkcs8 -topk8 -nocrypt -in key.pem -out new-private.pem'
const newPair = 'service-payload keygen --name "Journal" --out keys'

/** By label of a PEM block, or of other content as {@link formatOf} names it. */
const formats: Readonly<Record<string, ForeignFormat>> = {
  'RSA PRIVATE KEY': { is: 'it is PKCS#1', holds: 'private', toPrivate: opensslPrivate },
  'EC PRIVATE KEY': { is: 'it is SEC1', holds: 'private', toPrivate: opensslPrivate },
  'ENCRYPTED PRIVATE KEY': {
    is: 'it is encrypted',
    holds: 'private',
    toPrivate: opensslPrivate,
    advice: 'decrypt it with',
  },
  'OPENSSH PRIVATE KEY': {
    is: 'it is an SSH private key',
    holds: 'private',
    toPublic: newPair,
    toPrivate: newPair,
    advice: 'make another with',
  },
  'RSA PUBLIC KEY': {
    is: 'it is PKCS#1',
    holds: 'public',
    toPublic: 'openssl rsa -RSAPublicKey_in -pubout -in key.pem -out new-public.pem',
  },
  'PUBLIC KEY': { is: 'it is a public key; give it with kind spki', holds: 'public' },
  CERTIFICATE: { is: 'it is a certificate; give it with kind x509', holds: 'public' },
  'CERTIFICATE REQUEST': {
    is: 'it is a request for a certificate (CSR), not yet a certificate',
    holds: 'public',
    toPublic: 'openssl req -in key.csr -pubkey -noout -out new-public.pem',
    advice: 'take its public key out with',
  },
  PKCS7: {
    is: 'it is PKCS#7 (.p7b)',
    holds: 'public',
    toPublic: 'openssl pkcs7 -in key.p7b -print_certs -out new-certificate.pem',
    advice: 'take the certificates out with',
  },
  PKCS12: {
    is: 'it is PKCS#12 (.pfx, .p12), which holds the private key too',
    holds: 'both',
    toPublic: 'openssl pkcs12 -in key.pfx -clcerts -nokeys -out new-certificate.pem',
    toPrivate: 'openssl pkcs12 -in key.pfx -nocerts -nodes -out new-private.pem',
    advice: 'take out what is needed with (for old ciphers OpenSSL 3 needs -legacy)',
  },
  JKS: {
    is: 'it is a keystore of Java (JKS)',
    holds: 'both',
    toPublic: 'keytool -exportcert -rfc -alias mykey -keystore key.jks -file new-certificate.pem',
    toPrivate:
      'keytool -importkeystore -deststoretype PKCS12 -srckeystore key.jks -destkeystore new-private.pfx',
    advice: 'take out what is needed with (keytool -list shows the name of its entry)',
  },
  'ssh public': {
    is: 'it is an SSH public key',
    holds: 'public',
    toPublic: 'ssh-keygen -e -m PKCS8 -f key.pub > new-public.pem',
  },
  'ssh-ed25519': {
    is: 'it is an SSH public key for Ed25519, which OpenSSH does not convert',
    holds: 'public',
    toPublic: newPair,
    advice: 'make another with',
  },
  RSAKeyValue: {
    is: 'it is the XML of .NET; write it as PEM, in .NET with ExportSubjectPublicKeyInfoPem or ExportPkcs8PrivateKeyPem',
    holds: 'both',
  },
}

/** Formats of text without PEM blocks. The first that fits counts. */
const textFormats: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['ssh-ed25519', /(?:^|\s)ssh-ed25519 AAAA/],
  ['ssh public', /^\s*(?:ssh-rsa|ecdsa-sha2-nistp\d+) AAAA/m],
  ['RSAKeyValue', /<RSAKeyValue[\s>]/],
]

const lineBreakProblem =
  "its line breaks are the two characters \\n, as some environment files write them; give it as pem.replaceAll('\\\\n', '\\n')"

/** Names the format of a file without a wanted key, and why it cannot be read, as a clause. */
export function formatOf({ blocks, text, bytes }: KeyContent): {
  readonly format?: string | undefined
  readonly problem?: string | undefined
} {
  if (bytes)
    return /^(feedfeed|cececece)/.test(hex(bytes.subarray(0, 4)))
      ? { format: 'JKS' }
      : { problem: 'it is neither PEM, nor DER of a key or certificate' }
  if (/-----\\[nr]/.test(text)) return { problem: lineBreakProblem }
  // The most telling block: a private key, else the first that is more than parameters.
  const [telling] = [
    ...blocks.filter(({ label }) => label.endsWith('PRIVATE KEY')),
    ...blocks.filter(({ label }) => !label.endsWith('PARAMETERS')),
  ]
  if (telling) return { format: telling.label }
  const format = textFormats.find(([, pattern]) => pattern.test(text))?.[0]
  if (format) return { format }
  if (blocks.length === 0 && text.includes('-----BEGIN '))
    return { problem: 'its PEM block is cut off: it has no -----END line' }
  if (/^[^\n]{0,250}\.(?:pem|crt|cer|der|key|pub)$/i.test(text))
    return { problem: 'it is the name of a file; give its content, such as fs.readFileSync(name)' }
  return {}
}

/** Stands for the file of a key in {@link KeyImportError.command}. */
const inputName = /\bkey\.(?:pem|pub|csr|p7b|pfx|jks|json)\b/g

/** Writes the path of a key's file into a command, already quoted for a shell. */
export function nameInput(command: string, file: string): string {
  return command.replaceAll(inputName, () => file)
}

/** Refuses content that has no block with the wanted label: names the format, and the command that converts it. */
export function foreignKeyError(content: KeyContent, wanted: WantedLabel, kind: string): KeyImportError {
  const { format: name = '', problem = `it needs a PEM block, -----BEGIN ${wanted}-----` } = formatOf(content)
  const format = formats[name]
  if (!format) return new KeyImportError(kind, problem)
  const { is, holds, advice = 'convert it with' } = format
  if (wanted === 'PRIVATE KEY' && holds === 'public') return new KeyImportError(kind, publicKeyProblem)
  if (wanted !== 'PRIVATE KEY' && holds === 'private') return privateKeyError(content, kind)
  const command = wanted === 'PRIVATE KEY' ? format.toPrivate : format.toPublic
  if (command === undefined) return new KeyImportError(kind, is)
  return new KeyImportError(kind, `${is}; ${advice}`, { command: withInputForm(command, content) })
}

/** Refuses a block of the wanted label whose base64 cannot be read. */
export function damagedBlockError(content: KeyContent, kind: string): KeyImportError {
  return new KeyImportError(kind, formatOf(content).problem ?? 'its PEM block is not base64')
}

/** Refuses a private key in a registration, with the command that writes the public part. */
export function privateKeyError(content: KeyContent, kind: string): KeyImportError {
  // Text that only resembles PEM has no command that reads it.
  if (content.blocks.length === 0) return new KeyImportError(kind, privateKeyProblem)
  const { format = '' } = formatOf(content)
  const hasCertificate = content.blocks.some(({ label }) => label === 'CERTIFICATE')
  const command = hasCertificate
    ? 'openssl x509 -in key.pem -out new-certificate.pem'
    : (formats[format]?.toPublic ?? opensslPublic)
  return new KeyImportError(kind, `${privateKeyProblem}, which this command writes`, {
    command: withInputForm(command, content),
  })
}

/** Names the form of DER to openssl, which old versions do not find out. */
function withInputForm(command: string, { form }: KeyContent): string {
  return form === 'der' ? command.replace(/^(openssl (?!pkcs12)\w+)/, '$1 -inform DER') : command
}
