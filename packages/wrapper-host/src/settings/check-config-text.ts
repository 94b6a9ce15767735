import { type ValidationError, XMLValidator } from 'fast-xml-parser'
import { ConfigFileError } from './config-file-error.ts'
import { configMarkup, type MarkupPiece } from './config-markup.ts'
import { findIllegalCharacter } from './xml-characters.ts'
import { findUnknownReference } from './xml-references.ts'

/** Largest configuration file in bytes: 1 MiB. */
export const maxConfigFileBytes = 1024 * 1024

/**
 * Checks what the parser takes without a word: size, characters, DOCTYPE, references and well-formedness. Takes time that
 * grows with the size alone.
 *
 * @param text the file's content without a byte order mark
 * @param file its name, for messages
 * @throws {ConfigFileError} with line and column, but for a file that is too large
 */
export function checkConfigText(text: string, file: string): void {
  if (Buffer.byteLength(text) > maxConfigFileBytes) throw configTooLarge(file)
  const characterAt = findIllegalCharacter(text)
  if (characterAt !== undefined)
    throw faultAt(text, characterAt, file, 'this character is not allowed in XML')
  for (const piece of configMarkup(text)) checkPiece(piece, text, file)
  const checked = XMLValidator.validate(text)
  if (checked !== true) throw faultOf(checked.err, text, file)
}

/** What a file above {@link maxConfigFileBytes} is refused with. */
export function configTooLarge(file: string): ConfigFileError {
  return new ConfigFileError(file, `is larger than ${maxConfigFileBytes} bytes`)
}

/** @param index where in `text` the fault is */
export function faultAt(text: string, index: number, file: string, problem: string): ConfigFileError {
  const before = text.slice(0, index).split('\n')
  return new ConfigFileError(file, problem, before.length, (before.at(-1)?.length ?? 0) + 1)
}

function cutOff(text: string, file: string): ConfigFileError {
  return faultAt(text, text.trimEnd().length, file, 'the text ends before its elements do')
}

/** Of a text that is cut off the validator names the first character, and all elements that are open. */
function faultOf(fault: ValidationError['err'], text: string, file: string): ConfigFileError {
  if (fault.msg.startsWith("Invalid '[")) return cutOff(text, file)
  return new ConfigFileError(file, fault.msg, fault.line, fault.col ?? 1)
}

/** Comments and CDATA sections may hold anything. */
function checkPiece({ kind, start, end }: MarkupPiece, text: string, file: string): void {
  switch (kind) {
    case 'cut-off':
      throw cutOff(text, file)
    case 'declaration':
      throw faultAt(text, start, file, problemOfDeclaration(text.slice(start, start + '<!DOCTYPE'.length)))
    case 'instruction':
      if (!isPlainInstruction(text.slice(start + 2, end - 2)))
        throw faultAt(text, start, file, 'a processing instruction must not have an open quote')
      return
    case 'tag':
      checkTag(start, end, text, file)
      return
    case 'text':
      checkReferences(start, end, text, file)
  }
}

function problemOfDeclaration(begin: string): string {
  return begin.toUpperCase() === '<!DOCTYPE'
    ? 'a DOCTYPE is not allowed'
    : 'after <! only a comment or a CDATA section can follow'
}

function checkTag(start: number, end: number, text: string, file: string): void {
  const within = text.slice(start + 1, end).indexOf('<')
  if (within !== -1)
    throw faultAt(
      text,
      start + 1 + within,
      file,
      'a tag must not have a <; in an attribute’s value it is written &lt;',
    )
  checkReferences(start, end, text, file)
}

function checkReferences(start: number, end: number, text: string, file: string): void {
  const unknown = findUnknownReference(text.slice(start, end))
  if (unknown !== undefined)
    throw faultAt(text, start + unknown, file, 'a reference that XML does not define')
}

/** In quotes the parser would pass over the end of an instruction, and XML does not. */
function isPlainInstruction(content: string): boolean {
  return !/["']/.test(content.replaceAll(/"[^"]*"|'[^']*'/g, ''))
}
