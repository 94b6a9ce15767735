import { defineError, defineErrorOf, ServiceLinkError } from '@service-link/protocol-core/errors'

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
export abstract class XmlReadError<Code extends XmlErrorCode = XmlErrorCode> extends ServiceLinkError<Code> {
  /** The message without the place. */
  declare readonly problem: string
  declare readonly line: number
  declare readonly column: number
}

const defineReadError = defineErrorOf(XmlReadError)

const at = (problem: string, { line, column }: XmlLocation) => ({
  message: `${problem} (line ${line}, column ${column})`,
  problem,
  line,
  column,
})

/**
 * The encoding is not supported, or the bytes are not text in it.
 *
 * @remedy Write the file in the encoding that it declares, at best UTF-8.
 * @retry no
 * @seenBy partner's developer
 */
export class XmlEncodingError extends defineReadError('ERR_XML_ENCODING', at) {}

/**
 * The file is not well-formed XML: for example cut off, or with tags that do not match.
 *
 * @remedy Write the file with an XML writer, whole, before the wrapper is started.
 * @retry if the file was still being written
 * @seenBy partner's developer
 */
export class XmlSyntaxError extends defineReadError('ERR_XML_SYNTAX', at) {}

/**
 * The file has a document type declaration. It could name other files and define endless entities.
 *
 * @remedy Leave out the document type declaration.
 * @retry no
 * @seenBy partner's developer
 */
export class XmlDoctypeError extends defineReadError('ERR_XML_DOCTYPE', (place: XmlLocation) =>
  at('The file has a document type declaration (DOCTYPE), which is not accepted. Leave it out.', place),
) {}

const limitProblems = {
  bytes: (max: number) => `The file is larger than ${max} bytes.`,
  depth: (max: number) => `Elements are nested deeper than ${max}.`,
  elements: (max: number) => `The file has more than ${max} elements.`,
}

/**
 * The file is too large, nested too deeply, or has too many elements.
 *
 * @remedy Write less into one file: at most 1 MiB, 10,000 elements and 32 levels.
 * @retry no
 * @seenBy partner's developer
 */
export class XmlLimitError extends defineReadError(
  'ERR_XML_LIMIT',
  (limit: keyof typeof limitProblems, max: number, place: XmlLocation) => ({
    ...at(limitProblems[limit](max), place),
    /** Name of the limit. */
    limit,
    /** Value of the limit. */
    max,
  }),
) {}

/**
 * The root element has another name.
 *
 * @remedy Name the root element as the message says.
 * @retry no
 * @seenBy partner's developer
 */
export class XmlRootError extends defineReadError('ERR_XML_ROOT', (expected: string, place: XmlLocation) => ({
  ...at(`The root element must be ${expected}.`, place),
  /** Required name of the root element. */
  expected,
})) {}

/**
 * The file has text beside the elements, or elements inside a text.
 *
 * @remedy Put text into the elements that take it, and nothing beside them.
 * @retry no
 * @seenBy partner's developer
 */
export class XmlContentError extends defineReadError('ERR_XML_CONTENT', at) {}

/**
 * A text has a character that XML 1.0 cannot carry, not even as a reference.
 *
 * @remedy Remove control characters from the text that `property` names.
 * @retry no
 * @seenBy partner's developer
 */
export class XmlCharacterError extends defineError('ERR_XML_CHARACTER', (property: string) => ({
  message: `${property} has a character that XML cannot carry: a control character other than tab and line break, U+FFFE or U+FFFF.`,
  /** Name of the option, or of the person's field, with that text. */
  property,
})) {}

/** Every error of this package besides `ArgsError`. */
export type XmlError =
  | XmlEncodingError
  | XmlSyntaxError
  | XmlDoctypeError
  | XmlLimitError
  | XmlRootError
  | XmlContentError
  | XmlCharacterError
