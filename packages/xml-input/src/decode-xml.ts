import { fileStart, locateXml, XmlEncodingError } from './xml-error.ts'

type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Names in messages; a code page is named as the standard of encodings does. */
const encodingNames = new Map([
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16'],
  ['windows-1252', 'Windows-1252'],
])

/** Labels that are read by every Node, also one that has no table of code pages. */
const declarable: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ...['windows-1252', 'cp1252', 'iso-8859-1', 'iso_8859-1', 'latin1', 'us-ascii', 'ascii'].map(
    name => [name, 'windows-1252'] as const,
  ),
])

const codePage = /^(windows-(125\d|874)|iso-8859-\d+(-i)?|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/

/**
 * The characters of the bytes 0x80 to 0x9F in Windows-1252; U+FFFD where it has none. The decoders of some Node releases
 * read these bytes as the control characters of ISO-8859-1.
 */
const upperControls =
  '\u20ac\ufffd\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\ufffd\u017d\ufffd' +
  '\ufffd\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\ufffd\u017e\u0178'

/** Decoders give control or private characters for bytes without a character. */
const noCharacter = /[\x80-\x9f\ue000-\uf8ff\ufffd]/

/** Kept: making a decoder takes longer than reading a small file. */
const utf8 = decoder('utf-8')

/**
 * Reads a file's bytes as text. A byte-order mark names the encoding, whatever the file declares, and stays in the text. Else
 * the zero bytes of UTF-16 around the first `<` decide, else the declaration; the default is UTF-8.
 *
 * @throws {XmlEncodingError} when the encoding is not read, or the bytes are not text in it
 */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = detectEncoding(bytes)
  if (!isUnicode(encoding)) return decodeCodePage(bytes, encoding)
  try {
    return (encoding === 'utf-8' ? utf8 : decoder(encoding)).decode(bytes)
  } catch {
    const [before = ''] = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes).split('\ufffd', 1)
    throw malformed(encoding, before)
  }
}

function isUnicode(encoding: string): encoding is Unicode {
  return encoding.startsWith('utf-')
}

function decoder(encoding: Unicode): TextDecoder {
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
}

function decodeCodePage(bytes: Uint8Array, encoding: string): string {
  const upper = upperHalf(encoding)
  const text = textOfBytes(bytes).replaceAll(
    /[\x80-\xff]/g,
    byte => upper[byte.charCodeAt(0) - 0x80] ?? '\ufffd',
  )
  const missingAt = text.search(noCharacter)
  if (missingAt !== -1) throw malformed(encoding, text.slice(0, missingAt))
  return text
}

/** The characters of the bytes 0x80 to 0xFF. The lower half is ASCII, which some decoders of Node change in IBM866. */
function upperHalf(encoding: string): string {
  const bytes = Uint8Array.from({ length: 0x80 }, (_, index) => 0x80 + index)
  if (encoding === 'windows-1252') return upperControls + textOfBytes(bytes.subarray(0x20))
  const upper = new TextDecoder(encoding).decode(bytes)
  // Some Node releases read 0xAA, which has no character, as that of Windows-1252.
  return encoding === 'windows-1253' ? upper.replace('\xaa', '\ufffd') : upper
}

/** One character a byte. */
function textOfBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

function detectEncoding(bytes: Uint8Array): string {
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

function declaredEncoding(bytes: Uint8Array): string {
  const end = bytes.subarray(0, 1024).indexOf('>'.charCodeAt(0))
  const declaration = end === -1 ? '' : textOfBytes(bytes.subarray(0, end))
  const [, declared] =
    /^<\?xml.*[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*["']([A-Za-z][\w.-]*)["']/s.exec(declaration) ?? []
  if (declared === undefined) return 'utf-8'
  const encoding = declarable.get(declared.toLowerCase()) ?? findCodePage(declared)
  if (encoding) return encoding
  if (/^(utf-?16|iso-10646-ucs-2)/i.test(declared))
    throw new XmlEncodingError(
      'The file declares UTF-16 but its bytes are not. Declare the encoding in which it is written, or write UTF-8.',
      fileStart,
    )
  throw unsupported('as it declares it')
}

/** Finds a code page by a label. Nodes without full ICU data know few of them. */
function findCodePage(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label)
    return encoding === 'utf-8' || codePage.test(encoding) ? encoding : undefined
  } catch {
    return undefined
  }
}

function unsupported(which: string): XmlEncodingError {
  return new XmlEncodingError(
    `The file’s encoding, ${which}, is not read here. Write UTF-8, UTF-16 or a single-byte code page such as Windows-1252.`,
    fileStart,
  )
}

/** @param before the text before the first malformed byte */
function malformed(encoding: string, before: string): XmlEncodingError {
  return new XmlEncodingError(
    `The file is read as ${encodingNames.get(encoding) ?? encoding} and has bytes that are not. Declare the encoding in which it is written, or write UTF-8.`,
    locateXml(before, before.length),
  )
}
