import { type ValidationError, XMLValidator } from 'fast-xml-parser'
import { ConfigFileError } from './config-file-error.ts'

/** Largest configuration file in bytes: 1 MiB. */
export const maxConfigFileBytes = 1024 * 1024

/** Characters that XML has no place for. Surrogates stand for themselves here only where they are not in pairs. */
const illegalCharacter =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/**
 * Checks what the parser takes without a word: size, characters, DOCTYPE, references and well-formedness.
 *
 * @param text the file's content without a byte order mark
 * @param file its name, for messages
 * @throws {ConfigFileError} with line and column, but for a file that is too large
 */
export function checkConfigText(text: string, file: string): void {
  if (Buffer.byteLength(text) > maxConfigFileBytes) throw configTooLarge(file)
  const character = illegalCharacter.exec(text)
  if (character) throw faultAt(text, character.index, file, 'this character is not allowed in XML')
  const markup = blankTexts(text)
  const doctype = /<!DOCTYPE/i.exec(markup)
  if (doctype) throw faultAt(text, doctype.index, file, 'a DOCTYPE is not allowed')
  const checked = XMLValidator.validate(text)
  if (checked !== true) throw faultOf(checked.err, text, file)
  for (const { 0: reference, index } of markup.matchAll(/&[^;]*;/g))
    if (!isKnownReference(reference)) throw faultAt(text, index, file, 'a reference that XML does not define')
}

/** What a file above {@link maxConfigFileBytes} is refused with. */
export function configTooLarge(file: string): ConfigFileError {
  return new ConfigFileError(file, `is larger than ${maxConfigFileBytes} bytes`)
}

/** Whether XML lets a text hold all its characters. */
export function isXmlText(text: string): boolean {
  return !illegalCharacter.test(text)
}

/** @param index where in `text` the fault is */
export function faultAt(text: string, index: number, file: string, problem: string): ConfigFileError {
  const before = text.slice(0, index).split('\n')
  return new ConfigFileError(file, problem, before.length, (before.at(-1)?.length ?? 0) + 1)
}

/** Of a text that is cut off the validator names the first character, and all elements that are open. */
function faultOf(fault: ValidationError['err'], text: string, file: string): ConfigFileError {
  if (fault.msg.startsWith("Invalid '["))
    return faultAt(text, text.trimEnd().length, file, 'the text ends before its elements do')
  return new ConfigFileError(file, fault.msg, fault.line, fault.col ?? 1)
}

/** Comments and CDATA sections hold no markup: blanks of the same length stand for them. */
function blankTexts(text: string): string {
  return text.replaceAll(/<!--.*?-->|<!\[CDATA\[.*?\]\]>/gs, section => ' '.repeat(section.length))
}

function isKnownReference(reference: string): boolean {
  const [, hexadecimal, decimal] = /^&#(?:x([\da-f]{1,6})|(\d{1,7}));$/i.exec(reference) ?? []
  const codePoint = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)
  if (Number.isNaN(codePoint)) return /^&(amp|lt|gt|quot|apos);$/.test(reference)
  return codePoint <= 0x10ffff && isXmlText(String.fromCodePoint(codePoint))
}
