import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** What stands in for the operating system's opener of addresses. */
export interface Opener {
  /** To be added to the environment of programs that use it. */
  readonly environment: { readonly PATH: string }
  /** One address a line. */
  readonly openedFile: string
}

/**
 * Puts a program before the one that opens addresses in the user's own browser, which writes them down instead.
 *
 * @param folder where it is written
 * @returns `undefined` on systems whose opener is not found by the path
 */
export async function makeOpener(folder: string): Promise<Opener | undefined> {
  if (process.platform !== 'linux') return undefined
  const programs = join(folder, 'programs')
  const openedFile = join(folder, 'opened')
  await mkdir(programs)
  const script = join(programs, 'xdg-open')
  await writeFile(script, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${openedFile}'\n`)
  await chmod(script, 0o700)
  return { environment: { PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` }, openedFile }
}
