/** The parts of a provider's type name. */
export interface TypeName {
  /** `Acme.Journal.Component`. */
  readonly type: string
  /** `Acme.Journal`. */
  readonly assembly: string
}

const maxTypeNameLength = 256

/**
 * Reads `<Type>, <Assembly>` (spec 4.2): parts of ASCII letters, digits and underscores with single dots between
 * them. Facts that .NET writes behind it, such as `Version=1.0.0.0`, do not count. The result is safe as the base of a file name
 * on every platform: no separator, no drive, no device, no `..`.
 *
 * @returns nothing when the text is no such name
 */
export function readTypeName(text: string): TypeName | undefined {
  if (text.length > maxTypeNameLength) return undefined
  const [, type, assembly] =
    /^ *([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*) *, *([A-Za-z_]\w*(?:\.\w+)*) *$/.exec(withoutFacts(text)) ?? []
  if (type === undefined || assembly === undefined) return undefined
  // Windows reserves these names for devices, with any text after a dot.
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(assembly) ? undefined : { type, assembly }
}

/** Removes white space, case and .NET's facts, which do not count in the names of built-in and embedded providers. */
export function foldTypeName(text: string): string {
  return withoutFacts(text).replaceAll(/\s+/g, '').toLowerCase()
}

function withoutFacts(text: string): string {
  return text.replaceAll(
    /, *(?:Version|Culture|PublicKeyToken|processorArchitecture) *= *[\w.-]+ *(?=,|$)/gi,
    '',
  )
}
