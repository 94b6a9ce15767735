/** A provider's type name taken apart. */
export interface TypeName {
  /** `Acme.Journal.Component`. */
  readonly type: string
  /** `Acme.Journal`. */
  readonly assembly: string
}

const maxTypeNameLength = 256

/** Names that Windows takes for devices, whatever follows after a dot. */
const windowsDevice = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/**
 * Reads `<Type>, <Assembly>` (specification 4.2): parts of ASCII letters, digits and underscores with single dots between
 * them. What passes is safe as the base of a file name on every platform: no separator, no drive, no device, no `..`.
 *
 * @returns nothing when the text is no such name
 */
export function readTypeName(text: string): TypeName | undefined {
  if (text.length > maxTypeNameLength) return undefined
  const [, type, assembly] =
    /^ *([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*) *, *([A-Za-z_]\w*(?:\.\w+)*) *$/.exec(text) ?? []
  if (type === undefined || assembly === undefined || windowsDevice.test(assembly)) return undefined
  return { type, assembly }
}

/** Makes two spellings of one of the wrapper's own names equal: neither white space nor case matters there. */
export function foldTypeName(text: string): string {
  return text.replaceAll(/\s+/g, '').toLowerCase()
}
