/** Labels of PEM blocks that are read, by what the key is for. */
export type WantedLabel = 'CERTIFICATE' | 'PUBLIC KEY' | 'PRIVATE KEY'

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
  /** The file, if it is binary and no DER. */
  readonly bytes?: Uint8Array
}

/** Reads a key's file: PEM with any text around its blocks, DER, or the base64 of DER. Never throws. */
export function readKeyContent(content: string | Uint8Array): KeyContent {
  if (typeof content === 'string') return readKeyText(content.replace(/^\ufeff/, ''))
  const bytes = Uint8Array.from(content)
  const label = labelOfDer(bytes)
  if (label !== undefined) return { form: 'der', text: '', blocks: [{ label, der: bytes }] }
  const text = decodeText(bytes)
  return text === undefined ? { form: 'binary', text: '', blocks: [], bytes } : readKeyText(text)
}

function readKeyText(text: string): KeyContent {
  const blocks = readPem(text)
  if (blocks.length > 0) return { form: 'pem', text, blocks }
  const der = decodeBase64(text)
  const label = der && labelOfDer(der)
  if (label !== undefined) return { form: 'base64', text, blocks: [{ label, der }] }
  return { form: 'text', text, blocks }
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
  // Those of Diffie-Hellman look like an RSA key.
  if (pemLabel.endsWith('PARAMETERS')) return { label: pemLabel, der }
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
