import type { win32 } from 'node:path'
import type { BrowserFamily } from './window-platform.ts'

/** Families with their programs, the preferred ones first. */
export type Programs = readonly (readonly [BrowserFamily, string])[]

/** Each program in each folder. Ignores relative folders: they depend on the working directory. */
export function placesIn(
  folders: readonly (string | undefined)[],
  programs: Programs,
  { isAbsolute, join }: typeof win32,
) {
  const known = [...new Set(folders)].filter(folder => folder !== undefined && isAbsolute(folder))
  return programs.flatMap(([family, program]) =>
    known.map(folder => ({ family, executable: join(folder ?? '', program) })),
  )
}

/** The family of a browser, whose policies it obeys, by its path. A program of another name counts as Chromium. */
export function familyOf(executable: string): BrowserFamily {
  if (/edge/i.test(executable)) return 'edge'
  return /chrome/i.test(executable) && !/chromium/i.test(executable) ? 'chrome' : 'chromium'
}
