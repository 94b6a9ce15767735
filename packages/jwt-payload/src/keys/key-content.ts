import { aliasOfKeystore } from './java-keystore.ts'

/** One key, certificate or other object of a file. */
export interface KeyBlock {
  /** What it is, by its DER where that tells, else by the label of its PEM block. */
  readonly label: string
  /** Undefined when its PEM block is not base64, or is encrypted. */
  readonly der: Uint8Array<ArrayBuffer> | undefined
}

/** The content of a key's file, in any format. */
export interface KeyContent {
  readonly form: 'pem' | 'der' | 'base64' | 'text' | 'binary'
  readonly blocks: readonly KeyBlock[]
  /** The text, unless the file is binary. */
  readonly text: string
  /** Name of its format, where that is known. */
  readonly format?: string | undefined
  /** Name of the entry that is meant, for a keystore of Java where one is. */
  readonly alias?: string
  /** Why it cannot be read, as a clause, where that is known. */
  readonly problem?: string
}

const lineBreakProblem =
  "its line breaks are the two characters \\n, as some environment files write them; give it as pem.replaceAll('\\\\n', '\\n')"

/** Reads a key's file: PEM with any text around its blocks, DER, or the base64 of DER. Never throws. */
export function readKeyContent(content: string | Uint8Array): KeyContent {
  const text = typeof content === 'string' ? content.replace(/^\ufeff/, '') : decodeText(content)
  if (typeof content !== 'string') {
    const bytes = Uint8Array.from(content)
    const label = labelOfDer(bytes)
    const blocks = label === undefined ? [] : [{ label, der: bytes }]
    if (label !== undefined) return { form: 'der', text: '', blocks, format: formatOfBlocks(blocks) }
    if (/^(feedfeed|cececece)/.test(hex(bytes.subarray(0, 4)))) {
      const alias = aliasOfKeystore(bytes)
      const found = alias === undefined ? { format: 'JKS unnamed' } : { format: 'JKS', alias }
      return { form: 'binary', text: '', blocks: [], ...found }
    }
  }
  if (text === undefined)
    return {
      form: 'binary',
      text: '',
      blocks: [],
      problem: 'it is neither PEM, nor DER of a key or certificate',
    }
  const blocks = readPem(text)
  const problem = /-----\\[nr]/.test(text) ? { problem: lineBreakProblem } : {}
  if (blocks.length > 0) return { form: 'pem', text, blocks, format: formatOfBlocks(blocks), ...problem }
  const der = decodeBase64(text)
  const label = der && labelOfDer(der)
  if (label !== undefined) {
    const decoded = [{ label, der }]
    return { form: 'base64', text, blocks: decoded, format: formatOfBlocks(decoded) }
  }
  const format = textFormats.find(([, pattern]) => pattern.test(text))?.[0]
  const misspelt = format === undefined ? findMisspeltLine(text) : undefined
  if (misspelt) return { form: 'pem', text, blocks, problem: misspelt, ...problem }
  if (/-----BEGIN /.test(text)) {
    const cutOff = 'its PEM block is cut off: it has no -----END line'
    return { form: 'pem', text, blocks, format, problem: cutOff, ...problem }
  }
  return { form: 'text', text, blocks, format }
}

/** Tells how the lines of a PEM block must be written, if one has other hyphens, blanks or small letters. */
function findMisspeltLine(text: string): string | undefined {
  const lines = text.matchAll(
    /^[^\w\n]{0,40}\p{Pd}[^\w\n]{0,40}((?:BEGIN|END) ([A-Z0-9 ]{0,40}(?:KEY|CERTIFICATE|REQUEST|PARAMETERS|CRL|PKCS7)))\b/gimu,
  )
  for (const { 0: line, 1: words, 2: label = '', index } of lines) {
    const name = label.toUpperCase()
    const isRight = line.trimStart() === `-----${words?.toUpperCase()}`
    if (!isRight || !text.startsWith('-----', index + line.length))
      return `the lines of its PEM block must have exactly five hyphens on each side, -----BEGIN ${name}----- and -----END ${name}-----`
  }
  return undefined
}

/** UTF-16 by its byte order mark, or by the zeros beside two letters of ASCII. */
const utf16Starts = [
  ['utf-16le', /^(?:fffe|(?!00)..00(?!00)..00)/],
  ['utf-16be', /^(?:feff|00(?!00)..00(?!00)..)/],
] as const

/** Undefined for bytes that are no text. Editors and shells of Windows write UTF-16. */
function decodeText(bytes: Uint8Array): string | undefined {
  const start = hex(bytes.subarray(0, 4))
  const encoding = utf16Starts.find(([, pattern]) => pattern.test(start))?.[0] ?? 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Reads the PEM blocks of a text, in the order of the text. Text around them, indentation and line ends do not count. */
function readPem(text: string): readonly KeyBlock[] {
  const blocks: KeyBlock[] = []
  let open: { readonly label: string; readonly start: number } | undefined
  for (const { 0: marker, 1: side, 2: label = '', index } of text.matchAll(
    /-----(BEGIN|END) ([A-Z0-9 ]{1,40})-----/g,
  )) {
    if (side === 'END' && open?.label === label) blocks.push(readBlock(label, text.slice(open.start, index)))
    open = side === 'BEGIN' ? { label, start: index + marker.length } : undefined
  }
  return blocks
}

function readBlock(pemLabel: string, body: string): KeyBlock {
  if (/^\s*Proc-Type:.*ENCRYPTED/.test(body)) return { label: 'ENCRYPTED PRIVATE KEY', der: undefined }
  const der = decodeBase64(body)
  // Those of Diffie-Hellman and DSA look like an RSA key.
  if (/PARAMETERS$|^DSA /.test(pemLabel)) return { label: pemLabel, der }
  return { label: (der && labelOfDer(der)) ?? pemLabel.replace(/^NEW /, ''), der }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const base64 = text.replace(/\s/g, '')
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The most telling block: a private key, else the first that is more than parameters. */
function formatOfBlocks(blocks: readonly KeyBlock[]): string | undefined {
  const telling =
    blocks.find(({ label }) => label.endsWith('PRIVATE KEY')) ??
    blocks.find(({ label }) => !label.endsWith('PARAMETERS'))
  if (!telling) return blocks.length > 0 ? 'PARAMETERS' : undefined
  const { label, der } = telling
  if (label.startsWith('PGP ')) return 'PGP'
  const variant = variants.find(each => each.label === label && der && each.mark.test(hex(der)))
  return variant ? `${label} ${variant.name}` : label
}

/** Algorithms that OpenSSL 3 has in its legacy provider alone: RC2, RC4, DES, and what PKCS#5 derives with MD2 or MD5. */
const oldCiphers = /2a864886f70d01(?:0c010[1256]|050[1346ab])|2a864886f70d030[24]|2b0e030207/

/** Formats that another command converts. The mark is the name of an algorithm, in hexadecimal. */
const variants = [
  {
    label: 'OPENSSH PRIVATE KEY',
    name: 'ssh-ed25519',
    mark: RegExp(hex(new TextEncoder().encode('ssh-ed25519'))),
  },
  // The object identifier of a prime field.
  { label: 'EC PRIVATE KEY', name: 'explicit', mark: /2a8648ce3d0101/ },
  { label: 'PKCS12', name: 'legacy', mark: oldCiphers },
  { label: 'ENCRYPTED PRIVATE KEY', name: 'legacy', mark: oldCiphers },
] as const

/** Formats of text without PEM blocks. The first that fits counts. */
const textFormats: readonly (readonly [format: string, pattern: RegExp])[] = [
  // The type stands also within the base64.
  ['SSH2 PUBLIC KEY ssh-ed25519', /^(?=.*---- BEGIN SSH2 PUBLIC KEY ----).*\nAAAAC3NzaC1lZDI1NTE5/s],
  ['SSH2 PUBLIC KEY', /^(?=.*---- BEGIN SSH2 PUBLIC KEY ----).*\nAAAA(?:B3NzaC1yc2E|E2VjZHNhLXNoYTIt)/s],
  ['ssh-ed25519', /(?:^|\s)ssh-ed25519 AAAA/],
  ['ssh-rsa', /^\s*ssh-rsa AAAA/m],
  ['ecdsa-sha2', /^\s*ecdsa-sha2-nistp\d+ AAAA/m],
  ['ssh behind options', /[ \t](?:ssh-rsa|ecdsa-sha2-nistp\d+) AAAA/],
  ['ssh of another type', /(?:^|\s)(?:ssh-|sk-|ecdsa-)[\w@.-]{1,60} AAAA|---- BEGIN SSH2 /],
  ['PUTTY', /^\s*PuTTY-User-Key-File-\d/],
  ['RSAKeyValue private', /^(?=.*<RSAKeyValue[\s>]).*<(?:D|P|Q|DP|DQ|InverseQ)>\s*[^<\s]/s],
  ['RSAKeyValue', /<RSAKeyValue[\s>]/],
  ['PGP', /-----BEGIN PGP /],
]

const sequence = '30(?:[0-7].|81..|82.{4}|83.{6})'

/** Objects by how the content of their DER begins, in hexadecimal. The first that fits counts. */
const shapes = (
  [
    ['PRIVATE KEY', `02010[01]${sequence}06`],
    ['EC PRIVATE KEY', '02010104'],
    ['RSA PRIVATE KEY', '02010[01]02'],
    ['PKCS12', '020103'],
    ['RSA PUBLIC KEY', '02'],
    ['PKCS7', '06092a864886f70d0107'],
    // The names of PKCS#5 and PKCS#12 for ciphers.
    ['ENCRYPTED PRIVATE KEY', `${sequence}06..2a864886f70d01(?:05|0c)`],
    ['PUBLIC KEY', `${sequence}06`],
    ['CERTIFICATE REQUEST', `${sequence}020100${sequence}(?!06)`],
    // A certificate of version 1 and the serial number 1 begins so, too, and has two times in a sequence.
    ['X509 CRL', `${sequence}(?:${sequence}06|020101${sequence}06(?!.*30(?:1e|20|22)1[78]0[df]))`],
    ['CERTIFICATE', `${sequence}(?:a003|02)`],
  ] as const
).map(([label, start]) => [label, RegExp(`^${start}`)] as const)

/** Names what DER holds by a label of PEM; `undefined` for bytes that are no such object. A hint: jose reads the key. */
function labelOfDer(der: Uint8Array): string | undefined {
  const [tag, first = 0] = der
  const start = 2 + Math.max(0, first - 0x80)
  const length = first > 0x80 ? Number.parseInt(hex(der.subarray(2, start)), 16) : first
  // Windows writes some files with an indefinite length (BER).
  if (tag !== 0x30 || (first !== 0x80 && start + length !== der.length)) return undefined
  const content = hex(der.subarray(start, 1024))
  return shapes.find(([, pattern]) => pattern.test(content))?.[0]
}

/** Writes bytes in lower-case hexadecimal. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Writes a PEM block. */
export function encodePem(der: Uint8Array, label: string): string {
  const base64 = btoa(Array.from(der, byte => String.fromCharCode(byte)).join(''))
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
