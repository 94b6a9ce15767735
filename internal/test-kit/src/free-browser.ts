import { constants } from 'node:fs'
import { copyFile, cp, mkdir, open, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where Debian's Chromium lies; it holds the path of its policies as text. */
const installed = '/usr/lib/chromium'
const policyRoot = '/etc/chromium/policies'
/** Of the same length. */
const otherRoot = '/etc/acmebrws/policies'

/** Parts that a browser does without here: the other program, drivers for tests of graphics. */
const unneeded = /^(chromium-headless-shell|headless_.*|libVk.*|extensions)$/

/** Whether a browser with another policy root can be made here. */
export const canFreeBrowser = await realpath(join(installed, 'chromium')).then(
  () => true,
  () => false,
)

/**
 * Makes a folder with a Chromium build that reads its policies from another place: the installed one with another path in its program,
 * as a build of one's own may have. That folder does not exist.
 *
 * @returns absolute path of its program
 */
export async function makeFreeBrowser(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(installed)) {
    if (unneeded.test(name) || name === 'chromium') continue
    await cp(join(installed, name), join(folder, name), { recursive: true, dereference: true })
  }
  const program = join(folder, 'chromium')
  await copyFile(join(installed, 'chromium'), program, constants.COPYFILE_FICLONE)
  const content = await readFile(program)
  const at = content.indexOf(policyRoot)
  if (at < 0 || content.indexOf(policyRoot, at + 1) >= 0)
    throw new Error(`The program in ${dirname(program)} does not hold the path of its policies once.`)
  await using file = await open(program, 'r+')
  await file.write(otherRoot, at)
  return program
}
