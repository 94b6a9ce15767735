import { fileStart, locateXml, XmlEncodingError } from './xml-error.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
}

const declarable: ReadonlyMap<string, Encoding> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ...['windows-1252', 'cp1252', 'iso-8859-1', 'iso_8859-1', 'latin1', 'us-ascii', 'ascii'].map(
    name => [name, 'windows-1252'] as const,
  ),
])

/**
 * The characters of the bytes 0x80 to 0x9F in Windows-1252; U+FFFD where it has none. The decoders of some Node releases
 * read these bytes as the control characters of ISO-8859-1.
 */
const upperControls =
  '\u20ac\ufffd\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\ufffd\u017d\ufffd' +
  '\ufffd\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\ufffd\u017e\u0178'

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
  if (encoding === 'windows-1252') {
    const text = decodeWindows1252(bytes)
    const unassignedAt = text.indexOf('\ufffd')
    if (unassignedAt !== -1) throw malformed(encoding, text.slice(0, unassignedAt))
    return text
  }
  try {
    return (encoding === 'utf-8' ? utf8 : decoder(encoding)).decode(bytes)
  } catch {
    const [before = ''] = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes).split('\ufffd', 1)
    throw malformed(encoding, before)
  }
}

function decoder(encoding: Encoding): TextDecoder {
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
}

function decodeWindows1252(bytes: Uint8Array): string {
  return textOfBytes(bytes).replaceAll(
    /[\x80-\x9f]/g,
    control => upperControls[control.charCodeAt(0) - 0x80] ?? control,
  )
}

/** One character a byte. */
function textOfBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
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
  const end = bytes.subarray(0, 1024).indexOf('>'.charCodeAt(0))
  const declaration = end === -1 ? '' : textOfBytes(bytes.subarray(0, end))
  const [, declared] =
    /^<\?xml.*[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*["']([A-Za-z][\w.-]*)["']/s.exec(declaration) ?? []
  if (declared === undefined) return 'utf-8'
  const encoding = declarable.get(declared.toLowerCase())
  if (encoding) return encoding
  if (/^(utf-?16|iso-10646-ucs-2)/i.test(declared))
    throw new XmlEncodingError(
      'The file declares UTF-16 but its bytes are not. Declare the encoding in which it is written, or write UTF-8.',
      fileStart,
    )
  throw unsupported('as it declares it')
}

function unsupported(which: string): XmlEncodingError {
  return new XmlEncodingError(
    `The file’s encoding, ${which}, is not read here. Write UTF-8, UTF-16 or Windows-1252.`,
    fileStart,
  )
}

/** @param before the text before the first malformed byte */
function malformed(encoding: Encoding, before: string): XmlEncodingError {
  return new XmlEncodingError(
    `The file is read as ${encodingNames[encoding]} and has bytes that are not. Declare the encoding in which it is written, or write UTF-8.`,
    locateXml(before, before.length),
  )
}
