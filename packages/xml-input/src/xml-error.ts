import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** Every code that reading or writing a file throws besides `ERR_ARGS`. Codes are API: never renamed, never reused. */
export type XmlErrorCode =
  | 'ERR_XML_ENCODING'
  | 'ERR_XML_SYNTAX'
  | 'ERR_XML_DOCTYPE'
  | 'ERR_XML_LIMIT'
  | 'ERR_XML_ROOT'
  | 'ERR_XML_CONTENT'
  | 'ERR_XML_CHARACTER'

/** A place in the file. */
export interface XmlLocation {
  /** Counted from 1, by line breaks: CR, LF, or both together. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units, a byte-order mark not counted. */
  readonly column: number
}

/** First place of a file. */
export const fileStart: XmlLocation = { line: 1, column: 1 }

/** Turns an index into line and column; only errors need it. */
export function locateXml(text: string, index: number): XmlLocation {
  const lines = text
    .slice(0, index)
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** A file that cannot be read, and where. The message holds no text of the file. */
export abstract class XmlReadError<Code extends XmlErrorCode> extends ServiceLinkError<Code> {
  /** What is wrong: the message without the place. */
  readonly problem: string
  readonly line: number
  readonly column: number

  constructor(problem: string, { line, column }: XmlLocation) {
    super(`${problem} (line ${line}, column ${column})`)
    this.problem = problem
    this.line = line
    this.column = column
  }
}

/** Bytes that are not text in the file's encoding, or an encoding that is not read. */
export class XmlEncodingError extends XmlReadError<'ERR_XML_ENCODING'> {
  readonly code = 'ERR_XML_ENCODING'
}

/** A file that is not well-formed XML: cut off, tags that do not match, an entity that is not built in. */
export class XmlSyntaxError extends XmlReadError<'ERR_XML_SYNTAX'> {
  readonly code = 'ERR_XML_SYNTAX'
}

/** A document type declaration, which is never read: it can name other files and define entities without end. */
export class XmlDoctypeError extends XmlReadError<'ERR_XML_DOCTYPE'> {
  readonly code = 'ERR_XML_DOCTYPE'

  constructor(location: XmlLocation) {
    super(
      'The file has a document type declaration (DOCTYPE), which is not accepted. Leave it out.',
      location,
    )
  }
}

/** A file that is too large, nested too deeply, or has too many elements. */
export class XmlLimitError extends XmlReadError<'ERR_XML_LIMIT'> {
  readonly code = 'ERR_XML_LIMIT'
  /** Which limit was passed. */
  readonly limit: 'bytes' | 'depth' | 'elements'
  /** The limit. */
  readonly max: number

  constructor(limit: 'bytes' | 'depth' | 'elements', max: number, location: XmlLocation) {
    const problem = {
      bytes: `The file is larger than ${max} bytes.`,
      depth: `Elements are nested deeper than ${max}.`,
      elements: `The file has more than ${max} elements.`,
    }
    super(problem[limit], location)
    this.limit = limit
    this.max = max
  }
}

/** A root element of another name. */
export class XmlRootError extends XmlReadError<'ERR_XML_ROOT'> {
  readonly code = 'ERR_XML_ROOT'
  /** Name that the root element must have. */
  readonly expected: string

  constructor(expected: string, location: XmlLocation) {
    super(`The root element must be ${expected}.`, location)
    this.expected = expected
  }
}

/** Text where only elements belong, or elements where only text belongs. */
export class XmlContentError extends XmlReadError<'ERR_XML_CONTENT'> {
  readonly code = 'ERR_XML_CONTENT'
}

/** A text that cannot be written: it has a character that XML 1.0 cannot carry, not even as a reference. */
export class XmlCharacterError extends ServiceLinkError<'ERR_XML_CHARACTER'> {
  readonly code = 'ERR_XML_CHARACTER'
  /** Name of the element or attribute whose text it is. */
  readonly element: string

  constructor(element: string) {
    super(
      `${element} has a character that XML cannot carry: a control character other than tab and line break, U+FFFE or U+FFFF.`,
    )
    this.element = element
  }
}

/** Every error of this package besides `ArgsError`. */
export type XmlError =
  | XmlEncodingError
  | XmlSyntaxError
  | XmlDoctypeError
  | XmlLimitError
  | XmlRootError
  | XmlContentError
  | XmlCharacterError
