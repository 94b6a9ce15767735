import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
import { brandFile, cannotPack, packHere, runPacker } from './support/pack.ts'

const journal = await readFile(new URL('../../../docs/examples/providers/Acme.Journal.mjs', import.meta.url))

/** Packs one brand in a folder of its own. @returns the digest of each file of the output */
async function pack(folder: string): Promise<Readonly<Record<string, string>>> {
  await mkdir(folder)
  await writeFile(join(folder, 'Acme.Journal.mjs'), journal)
  const content = { name: 'Acme', appUrl: 'https://app.example/', providerModules: ['Acme.Journal.mjs'] }
  const output = join(folder, 'output')
  const end = await runPacker([await brandFile(folder, content), '--output', output, ...packHere])
  expect(end.stderr).not.toContain('could not')
  const files = (await readdir(output, { recursive: true, withFileTypes: true })).filter(file =>
    file.isFile(),
  )
  const digests = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name)
    const digest = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
    return [file.slice(output.length + 1), digest] as const
  })
  return Object.fromEntries(await Promise.all(digests))
}

test.skipIf(cannotPack !== undefined)(
  'the same brand is packed into the same bytes in any folder',
  async () => {
    await using folder = await temporaryFolder()
    const first = await pack(join(folder.path, 'first'))
    expect(Object.keys(first)).toContain('Acme.Client.WebWrapper-3.1.0.0-linux-x64/Acme.Client.WebWrapper')
    expect(Object.keys(first)).toContain('Acme.Client.WebWrapper-3.1.0.0-linux-x64.cdx.json')
    expect(await pack(join(folder.path, 'second in another'))).toEqual(first)
  },
)
