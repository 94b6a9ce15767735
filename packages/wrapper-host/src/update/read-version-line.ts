import { type FourPartVersion, parseVersion, VersionError } from '@service-link/protocol-core'

/**
 * Reads the answer of the update site: the first line is a four-part version; what follows is not looked at.
 *
 * @param text the answer's beginning
 * @returns nothing when it is anything else, such as the page of a network that wants its users to log in
 */
export function readVersionLine(text: string): FourPartVersion | undefined {
  const line = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? ''
  try {
    return parseVersion(line)
  } catch (error) {
    if (error instanceof VersionError) return undefined
    throw error
  }
}
