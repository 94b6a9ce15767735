import { readDeclaredEncoding } from './declaration.ts'
import { decodeWindows1252 } from './decode-windows-1252.ts'
import { fileStart, locate } from './locate.ts'
import { XmlEncodingError } from './xml-error.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const declarable: Readonly<Record<string, Encoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'iso_8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'us-ascii': 'windows-1252',
  ascii: 'windows-1252',
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a file's bytes as text, in which each line break is one line feed (XML 1.0, 2.11). The encoding is what the byte-order mark says, whatever is declared besides; else what the
 * zero bytes of UTF-16 around the first `<` say; else what the declaration says; else UTF-8.
 *
 * @throws {XmlEncodingError} when the encoding is not read, or the bytes are not text in it
 */
export function decodeXml(bytes: Uint8Array): string {
  return decodeBytes(bytes).replaceAll(/\r\n?/g, '\n')
}

function decodeBytes(bytes: Uint8Array): string {
  const encoding = detectEncoding(bytes)
  if (encoding === 'windows-1252') {
    const text = decodeWindows1252(bytes)
    if (typeof text === 'string') return text
    throw malformed(encoding, String(decodeWindows1252(bytes.subarray(0, text.badByteAt))))
  }
  try {
    return encoding === 'utf-8'
      ? utf8.decode(bytes)
      : new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw malformed(encoding, decodeWellFormedStart(encoding, bytes))
  }
}

function detectEncoding(bytes: Uint8Array): Encoding {
  const first = bytes[0]
  const second = bytes[1]
  if (first === 0x3c && second === 0x3f) return declaredEncoding(bytes)
  if (first === 0xef && second === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  const isUtf32LittleEndian = bytes[2] === 0 && bytes[3] === 0 && (first === 0xff || first === 0x3c)
  const isUtf32BigEndian = first === 0 && second === 0
  if (isUtf32LittleEndian || isUtf32BigEndian) throw unsupported('UTF-32')
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0x3c && second === 0) return 'utf-16le'
  if (first === 0 && second === 0x3c) return 'utf-16be'
  return 'utf-8'
}

function declaredEncoding(bytes: Uint8Array): Encoding {
  const declared = readDeclaredEncoding(asciiStart(bytes))
  if (declared === undefined) return 'utf-8'
  const name = declared.toLowerCase()
  if (Object.hasOwn(declarable, name)) return declarable[name] ?? 'utf-8'
  if (/^(utf-?16|iso-10646-ucs-2)/.test(name))
    throw new XmlEncodingError(
      'The file declares UTF-16 but its bytes are not. Declare the encoding in which it is written, or write UTF-8.',
      fileStart,
    )
  throw unsupported('as it declares it')
}

/** The characters before the first `>`, all of which are ASCII in a declaration. */
function asciiStart(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < Math.min(bytes.length, 1024); index++) {
    const byte = bytes[index]
    if (byte === undefined || byte === 0x3e) break
    text += String.fromCharCode(byte)
  }
  return text
}

function unsupported(which: string): XmlEncodingError {
  return new XmlEncodingError(
    `The file’s encoding, ${which}, is not read here. Write UTF-8, UTF-16 or Windows-1252.`,
    fileStart,
  )
}

function malformed(encoding: Encoding, before: string): XmlEncodingError {
  const name = {
    'utf-8': 'UTF-8',
    'utf-16le': 'UTF-16',
    'utf-16be': 'UTF-16',
    'windows-1252': 'Windows-1252',
  }
  return new XmlEncodingError(
    `The file is read as ${name[encoding]} and has bytes that are not. Declare the encoding in which it is written, or write UTF-8.`,
    locate(before, before.length),
  )
}

/** The text before the first malformed byte, found by bisection: only errors need it. */
function decodeWellFormedStart(encoding: Encoding, bytes: Uint8Array): string {
  let text = ''
  let low = 0
  let high = bytes.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    try {
      text = new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, middle), { stream: true })
      low = middle
    } catch {
      high = middle - 1
    }
  }
  return text
}
