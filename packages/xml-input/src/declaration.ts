const quoted = (value: string) => `(?:"(?:${value})"|'(?:${value})')`

const declaration = new RegExp(
  `^<\\?xml\\s+version\\s*=\\s*${quoted('1\\.[0-9]+')}` +
    `(?:\\s+encoding\\s*=\\s*${quoted('[A-Za-z][A-Za-z0-9._-]*')})?` +
    `(?:\\s+standalone\\s*=\\s*${quoted('yes|no')})?\\s*\\?>$`,
)

const encoding = /\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/

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
