import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { temporaryFolder } from './service-payload.ts'

/** A home folder, and an `xdg-open` that writes its arguments to a file instead of opening them. */
export async function createHome() {
  const folder = await temporaryFolder()
  const [programs, home, opened] = [folder.file('programs'), folder.file('home'), folder.file('opened')]
  await mkdir(programs)
  await mkdir(home)
  const writeOpener = async (text: string) => {
    await writeFile(join(programs, 'xdg-open'), text)
    await chmod(join(programs, 'xdg-open'), 0o700)
  }
  await writeOpener(`#!/bin/sh\nprintf '%s\\n' "$@" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`)
  return {
    home,
    writeOpener,
    environment: { HOME: home, PATH: `${programs}:${process.env.PATH}`, BROWSER: '' },
    /** What the opener got, as soon as it ran. */
    opened: async () => {
      await expect
        .poll(
          () =>
            stat(opened).then(
              () => true,
              () => false,
            ),
          { timeout: 120_000 },
        )
        .toBe(true)
      return readFile(opened, 'utf8')
    },
    pages: async () => (await readdir(home)).filter(name => name.startsWith('service-')),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}
