/** What XML calls white space; the `\s` of JavaScript has more. */
const space = '[ \\t\\r\\n]'

const quoted = (value: string) => `(?:"(?:${value})"|'(?:${value})')`

const declaration = new RegExp(
  `^<\\?xml${space}+version${space}*=${space}*${quoted('1\\.[0-9]+')}` +
    `(?:${space}+encoding${space}*=${space}*${quoted('[A-Za-z][A-Za-z0-9._-]*')})?` +
    `(?:${space}+standalone${space}*=${space}*${quoted('yes|no')})?${space}*\\?>$`,
)

const encoding = new RegExp(`${space}encoding${space}*=${space}*["']([A-Za-z][A-Za-z0-9._-]*)["']`)

/** Whether a text is an XML declaration, of version 1.0 or one that is read as 1.0, and nothing else. */
export function isDeclaration(text: string): boolean {
  return declaration.test(text)
}

/**
 * Reads the encoding that a file declares.
 *
 * @param head the file's first characters, through the first `>`
 * @returns the name as it is written, or `undefined` when the file declares none
 */
export function readDeclaredEncoding(head: string): string | undefined {
  return head.startsWith('<?xml') ? encoding.exec(head)?.[1] : undefined
}
