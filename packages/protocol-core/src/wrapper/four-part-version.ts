import { defineError } from '../errors/define-error.ts'

/** Major, minor, build and revision, each 0 to 65535 (spec 9). */
export type FourPartVersion = readonly [major: number, minor: number, build: number, revision: number]

/** First wrapper version with the named-pipe provider (spec 4.5). */
export const minimumPipeVersion: FourPartVersion = [2, 1, 4, 19787]

/**
 * A text that is not a four-part version.
 *
 * @remedy Write four numbers with dots, such as `3.0.0.0`.
 * @retry no
 * @seenBy integrator, partner's developer
 */
export class VersionError extends defineError(
  'ERR_VERSION',
  'A version needs four numbers from 0 to 65535 with dots between them, such as 3.0.0.0.',
) {}

/**
 * Reads `a.b.c.d` (spec 9); white space around it is ignored.
 *
 * @throws {VersionError} when it is not four numbers from 0 to 65535
 */
export function parseVersion(text: string): FourPartVersion {
  const match = /^\s*(\d{1,5})\.(\d{1,5})\.(\d{1,5})\.(\d{1,5})\s*$/.exec(text)
  if (!match) throw new VersionError()
  return [readPart(match[1]), readPart(match[2]), readPart(match[3]), readPart(match[4])]
}

/** Writes a version as `a.b.c.d`. */
export function formatVersion(version: FourPartVersion): string {
  return version.join('.')
}

/**
 * Orders two versions by their first `parts` numbers.
 *
 * @param parts how many numbers count, 1 to 4; installers ignore the fourth. Default 4
 * @returns below 0 when `a` is older, above 0 when it is newer, 0 when equal
 */
export function compareVersions(a: FourPartVersion, b: FourPartVersion, parts = 4): number {
  for (let index = 0; index < parts; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function readPart(digits: string | undefined): number {
  const part = Number(digits)
  if (!(part <= 65_535)) throw new VersionError()
  return part
}
