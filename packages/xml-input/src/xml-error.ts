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

/** Finds line and column of an index in a text. */
export function locateXml(text: string, index: number): XmlLocation {
  const lines = text
    .slice(0, index)
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** A file cannot be read. The message names the place and repeats no text of the file. */
export abstract class XmlReadError<Code extends XmlErrorCode> extends ServiceLinkError<Code> {
  /** The message without the place. */
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

/** The encoding is not supported, or the bytes are not text in it. */
export class XmlEncodingError extends XmlReadError<'ERR_XML_ENCODING'> {
  readonly code = 'ERR_XML_ENCODING'
}

/** The file is not well-formed XML: for example cut off, or with tags that do not match. */
export class XmlSyntaxError extends XmlReadError<'ERR_XML_SYNTAX'> {
  readonly code = 'ERR_XML_SYNTAX'
}

/** The file has a document type declaration. It could name other files and define endless entities. */
export class XmlDoctypeError extends XmlReadError<'ERR_XML_DOCTYPE'> {
  readonly code = 'ERR_XML_DOCTYPE'

  constructor(location: XmlLocation) {
    super(
      'The file has a document type declaration (DOCTYPE), which is not accepted. Leave it out.',
      location,
    )
  }
}

/** The file is too large, nested too deeply, or has too many elements. */
export class XmlLimitError extends XmlReadError<'ERR_XML_LIMIT'> {
  readonly code = 'ERR_XML_LIMIT'
  /** Name of the limit. */
  readonly limit: 'bytes' | 'depth' | 'elements'
  /** Value of the limit. */
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

/** The root element has another name. */
export class XmlRootError extends XmlReadError<'ERR_XML_ROOT'> {
  readonly code = 'ERR_XML_ROOT'
  /** Required name of the root element. */
  readonly expected: string

  constructor(expected: string, location: XmlLocation) {
    super(`The root element must be ${expected}.`, location)
    this.expected = expected
  }
}

/** The file has text beside the elements, or elements inside a text. */
export class XmlContentError extends XmlReadError<'ERR_XML_CONTENT'> {
  readonly code = 'ERR_XML_CONTENT'
}

/** A text has a character that XML 1.0 cannot carry, not even as a reference. */
export class XmlCharacterError extends ServiceLinkError<'ERR_XML_CHARACTER'> {
  readonly code = 'ERR_XML_CHARACTER'
  /** Name of the option, or of the person's field, with that text. */
  readonly property: string

  constructor(property: string) {
    super(
      `${property} has a character that XML cannot carry: a control character other than tab and line break, U+FFFE or U+FFFF.`,
    )
    this.property = property
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
