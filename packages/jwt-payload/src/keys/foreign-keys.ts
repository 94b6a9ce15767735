import { KeyImportError, privateKeyProblem, publicKeyProblem } from '../errors/key-errors.ts'
import type { KeyContent, WantedLabel } from './key-content.ts'
import { formatOf } from './key-format.ts'

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
  /** In its place before `toPublic`. */
  readonly publicAdvice?: string
}

const opensslPublic = 'openssl pkey -in key.pem -pubout -out new-public.pem'
const opensslPrivate = 'openssl pkcs8 -topk8 -nocrypt -in key.pem -out new-private.pem'
const oldProviders = '-provider legacy -provider default'
const newPair = {
  toPrivate: 'service-payload keygen --name "Journal" --out keys',
  advice: 'make another with',
}

const unusable = { holds: 'both', ...newPair, toPublic: newPair.toPrivate } as const

/** Reads a file's numbers by Node alone: no usual program converts these formats. */
const byNode = (read: string, make: string, type: string, out: string) =>
  `node -e "const t=fs.readFileSync(process.argv[1],'utf8');${read};fs.writeFileSync('${out}',crypto.${make}.export({type:'${type}',format:'pem'}))" key.txt`

const readXmlNumbers =
  "const k={kty:'RSA'};for(const p of 'n:Modulus e:Exponent d:D p:P q:Q dp:DP dq:DQ qi:InverseQ'.split(' ')){const [m,x]=p.split(':'),f=RegExp('<'+x+'>([^<]+)').exec(t);if(f)k[m]=Buffer.from(f[1],'base64').toString('base64url')}"

const xmlToPublic = byNode(
  readXmlNumbers,
  "createPublicKey({key:{kty:'RSA',n:k.n,e:k.e},format:'jwk'})",
  'spki',
  'new-public.pem',
)

const sshPublic = { is: 'it is an SSH public key', holds: 'public' } as const
const sshToPublic = 'ssh-keygen -e -m PKCS8 -f key.pub > new-public.pem'
const sshBehindCopy = sshToPublic.replace('key.pub', 'new-public.pub')
const rfc4716 = { is: 'it is an SSH public key (RFC 4716)', holds: 'public' } as const

/** ssh-keygen does not write Ed25519 as PKCS#8. The base64 has 68 characters, of which the first 20 name the type. */
const ed25519ByNode = byNode(
  "const x=Buffer.from(/AAAAC3NzaC1lZDI1NTE5.{48}/.exec(t.replace(/\\s/g,''))[0],'base64').subarray(-32).toString('base64url')",
  "createPublicKey({key:{kty:'OKP',crv:'Ed25519',x},format:'jwk'})",
  'spki',
  'new-public.pem',
)

const pkcs12 = (form = '', program = '', option = ''): ForeignFormat => ({
  is: `it is PKCS#12 (.pfx, .p12)${form}, which holds the private key too`,
  holds: 'both',
  toPublic: `openssl pkcs12 ${option}-in key.pfx -clcerts -nokeys -out new-certificate.pem`,
  toPrivate: `openssl pkcs12 ${option}-in key.pfx -nocerts -nodes -out new-private.pem`,
  advice: `take out what is needed with${program}`,
})

const keystore = {
  is: 'it is a keystore of Java (JKS)',
  holds: 'both',
  toPrivate:
    'keytool -importkeystore -deststoretype PKCS12 -srckeystore key.jks -destkeystore new-private.pfx',
  advice: 'take out what is needed with',
} as const

const explicitCurveProblem = 'its curve is written by its numbers (explicit parameters), not by its name'
const namedCurve = '-ec_param_enc named_curve'

/** By label of a PEM block, or of other content as {@link formatOf} names it. */
const formats: Readonly<Record<string, ForeignFormat>> = {
  'RSA PRIVATE KEY': { is: 'it is PKCS#1', holds: 'private', toPrivate: opensslPrivate },
  'EC PRIVATE KEY': { is: 'it is SEC1', holds: 'private', toPrivate: opensslPrivate },
  'EC PRIVATE KEY explicit': {
    is: explicitCurveProblem,
    holds: 'private',
    toPrivate: `openssl pkey -in key.pem ${namedCurve} -out new-private.pem`,
  },
  'DSA PRIVATE KEY': { is: 'it is a DSA key', holds: 'private', ...newPair },
  'ENCRYPTED PRIVATE KEY': {
    is: 'it is encrypted',
    holds: 'private',
    toPrivate: opensslPrivate,
    advice: 'decrypt it with',
  },
  'ENCRYPTED PRIVATE KEY legacy': {
    is: 'it is encrypted with a cipher of old programs',
    holds: 'private',
    toPublic: opensslPublic.replace('-in', `${oldProviders} -in`),
    toPrivate: opensslPrivate.replace('-in', `${oldProviders} -in`),
    advice: `decrypt it with OpenSSL 3 (without ${oldProviders} with older ones)`,
  },
  'OPENSSH PRIVATE KEY': {
    is: 'it is an SSH private key',
    holds: 'private',
    toPublic: 'ssh-keygen -e -m PKCS8 -f key.pem > new-public.pem',
    toPrivate: 'cp key.pem new-private.pem && ssh-keygen -p -m PKCS8 -N "" -f new-private.pem',
  },
  'OPENSSH PRIVATE KEY ssh-ed25519': {
    is: 'it is an SSH private key for Ed25519, which OpenSSH does not convert',
    holds: 'private',
    ...newPair,
    toPublic: 'ssh-keygen -y -f key.pem > new-public.pub',
  },
  'RSA PUBLIC KEY': {
    is: 'it is PKCS#1',
    holds: 'public',
    toPublic: 'openssl rsa -RSAPublicKey_in -pubout -in key.pem -out new-public.pem',
  },
  'PUBLIC KEY': { is: 'it is a public key; give it with kind spki', holds: 'public' },
  CERTIFICATE: { is: 'it is a certificate; give it with kind x509', holds: 'public' },
  'TRUSTED CERTIFICATE': {
    is: 'it is a certificate with OpenSSL’s own trust settings',
    holds: 'public',
    toPublic: 'openssl x509 -in key.pem -out new-certificate.pem',
  },
  'CERTIFICATE REQUEST': {
    is: 'it is a request for a certificate (CSR), not yet a certificate',
    holds: 'public',
    toPublic: 'openssl req -in key.csr -pubkey -noout -out new-public.pem',
    advice: 'take its public key out with',
  },
  'X509 CRL': { is: 'it is a list of revoked certificates, not a certificate', holds: 'public' },
  PKCS7: {
    is: 'it is PKCS#7 (.p7b)',
    holds: 'public',
    toPublic: 'openssl pkcs7 -in key.p7b -print_certs -out new-certificate.pem',
    advice: 'take the certificates out with',
  },
  PKCS12: pkcs12(),
  'PKCS12 legacy': pkcs12(
    ' in ciphers of old programs',
    ' OpenSSL 3 (without -legacy with older ones)',
    '-legacy ',
  ),
  JKS: {
    ...keystore,
    toPublic: 'keytool -exportcert -rfc -alias mykey -keystore key.jks -file new-certificate.pem',
  },
  'JKS unnamed': {
    ...keystore,
    toPublic: 'keytool -list -keystore key.jks',
    publicAdvice:
      'export the certificate of the signing key with keytool -exportcert -rfc -alias and its name, which this command lists',
  },
  PUTTY: {
    is: 'it is a key of PuTTY (.ppk)',
    holds: 'private',
    toPublic: 'puttygen key.ppk -O public-openssh -o new-public.pub',
    toPrivate: 'puttygen key.ppk -O private-openssh -o new-private.pem',
  },
  'SSH2 PUBLIC KEY': {
    ...rfc4716,
    toPublic: `ssh-keygen -i -f key.pub > new-public.pub && ${sshBehindCopy}`,
  },
  'SSH2 PUBLIC KEY ssh-ed25519': { ...rfc4716, toPublic: ed25519ByNode },
  'ssh-rsa': { ...sshPublic, toPublic: sshToPublic },
  'ecdsa-sha2': { ...sshPublic, toPublic: sshToPublic },
  'ssh-ed25519': { ...sshPublic, toPublic: ed25519ByNode },
  'ssh behind options': {
    ...sshPublic,
    is: 'it is an SSH public key behind other words, such as options of authorized_keys, which ssh-keygen does not read',
    toPublic: `node -e "fs.writeFileSync('new-public.pub',/(ssh-rsa|ecdsa-sha2-nistp...) AAAA.*/.exec(fs.readFileSync(process.argv[1],'utf8'))[0])" key.pub && ${sshBehindCopy}`,
  },
  'ssh of another type': { is: 'it is an SSH key of a type or form that signs no JWT', ...unusable },
  PARAMETERS: { is: 'it holds only parameters, and no key; give the file that has the key', holds: 'both' },
  PGP: { is: 'it is a PGP key, with which no JWT is signed', ...unusable },
  RSAKeyValue: { is: 'it is the XML of .NET', holds: 'public', toPublic: xmlToPublic },
  'RSAKeyValue private': {
    is: 'it is the XML of .NET',
    holds: 'private',
    toPublic: xmlToPublic,
    toPrivate: byNode(readXmlNumbers, "createPrivateKey({key:k,format:'jwk'})", 'pkcs8', 'new-private.pem'),
  },
}

/** Stands for the file of a key in {@link KeyImportError.command}. */
const inputName = /\bkey\.(?:pem|pub|csr|p7b|pfx|jks|ppk|txt|json)\b/g

/** Writes the path of a key's file into a command, already quoted for a shell. */
export function nameInput(command: string, file: string): string {
  return command.replaceAll(inputName, () => file)
}

/** Refuses content that has no block with the wanted label: names the format, and the command that converts it. */
export function foreignKeyError(content: KeyContent, wanted: WantedLabel, kind: string): KeyImportError {
  const { format: name = '', problem = missingBlock(wanted), alias = '' } = formatOf(content)
  const format = formats[name]
  if (!format) return new KeyImportError(kind, problem)
  const { is, holds, publicAdvice, advice = 'convert it with' } = format
  const command = wanted === 'PRIVATE KEY' ? format.toPrivate : format.toPublic
  if (wanted === 'PRIVATE KEY' && holds === 'public') return new KeyImportError(kind, publicKeyProblem)
  if (wanted !== 'PRIVATE KEY' && holds === 'private') return privateKeyError(content, kind)
  if (command === undefined) return new KeyImportError(kind, is)
  // The alias has no character that a shell reads between double quotes.
  const named = command.replace(
    '-alias mykey',
    () => `-alias ${/^[\w.]+$/.test(alias) ? alias : `"${alias}"`}`,
  )
  const words = (wanted === 'PRIVATE KEY' ? undefined : publicAdvice) ?? advice
  return new KeyImportError(kind, `${is}; ${words}`, { command: withInputForm(named, content) })
}

/** Refuses a block of the wanted label whose base64 cannot be read. */
export function damagedBlockError(content: KeyContent, kind: string): KeyImportError {
  return new KeyImportError(kind, formatOf(content).problem ?? 'its PEM block is not base64')
}

function missingBlock(wanted: WantedLabel): string {
  return `it needs a PEM block, -----BEGIN ${wanted}-----`
}

/** Refuses a private key in a registration, with the command that writes the public part. */
export function privateKeyError(content: KeyContent, kind: string): KeyImportError {
  const { format = '', problem } = formatOf(content)
  if (content.blocks.length === 0 && problem !== undefined) return new KeyImportError(kind, privateKeyProblem)
  const hasCertificate = content.blocks.some(({ label }) => label === 'CERTIFICATE')
  const command = hasCertificate
    ? 'openssl x509 -in key.pem -out new-certificate.pem'
    : (formats[format]?.toPublic ?? opensslPublic)
  return new KeyImportError(kind, `${privateKeyProblem}, which this command writes`, {
    command: withInputForm(command, content),
  })
}

/** Refuses a curve that is written by its numbers: such a curve may differ from the named one in a detail. */
export function explicitCurveError(label: WantedLabel, kind: string): KeyImportError {
  const commands = {
    'PUBLIC KEY': `openssl pkey -pubin -in key.pem -pubout ${namedCurve} -out new-public.pem`,
    'PRIVATE KEY': `openssl pkey -in key.pem ${namedCurve} -out new-private.pem`,
    CERTIFICATE: `openssl x509 -in key.pem -noout -pubkey | openssl pkey -pubin -pubout ${namedCurve} -out new-public.pem`,
  }
  const advice = label === 'CERTIFICATE' ? 'take its public key out with' : 'convert it with'
  return new KeyImportError(kind, `${explicitCurveProblem}; ${advice}`, { command: commands[label] })
}

/** Names the form of DER to openssl, which old versions do not find out. */
function withInputForm(command: string, { form }: KeyContent): string {
  if (form === 'der') return command.replace(/^(openssl (?!pkcs12)\w+)/, '$1 -inform DER')
  if (form !== 'base64') return command
  const decoded = 'openssl base64 -d -A -in key.pem -out new-key.der'
  return `${decoded} && ${nameInput(command, 'new-key.der').replace(/^(openssl (?!pkcs12)\w+)/, '$1 -inform DER')}`
}
