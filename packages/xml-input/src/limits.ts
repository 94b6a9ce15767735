/** Largest file that is read, in bytes: 1 MiB. */
export const maxXmlBytes = 1024 * 1024

/** Deepest nesting of elements, the root counted as 1. */
export const maxXmlDepth = 32

/** Most elements of one file. */
export const maxXmlElements = 10_000

/** What a file may cost to read. */
export interface XmlLimits {
  readonly maxBytes: number
  readonly maxDepth: number
  readonly maxElements: number
}
