/** Characters that XML has no place for. Surrogates stand for themselves here only where they are not in pairs. */
const illegalCharacter =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Where the first character stands that XML has no place for; nothing when there is none. */
export function findIllegalCharacter(text: string): number | undefined {
  return illegalCharacter.exec(text)?.index
}

/** Whether XML lets a text hold all its characters. */
export function isXmlText(text: string): boolean {
  return !illegalCharacter.test(text)
}
