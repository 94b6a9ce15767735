import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/shared.ts'
import { publishFolder } from './fetch-node.ts'

async function folderWith(path: string, name: string, content: string): Promise<string> {
  await mkdir(path)
  await writeFile(join(path, name), content)
  return path
}

test('of many concurrent publications one succeeds, and none of its files is removed', async () => {
  await using folder = await temporaryFolder()
  const place = join(folder.path, 'place')
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      folderWith(join(folder.path, `made-${index}`), 'node', `${index}`),
    ),
  )
  const seen = await Promise.all(
    made.map(async path => {
      await publishFolder(path, place, 'node')
      return readFile(join(place, 'node'), 'utf8')
    }),
  )
  expect(new Set(seen).size).toBe(1)
  expect(await readdir(folder.path)).toHaveLength(8)
})

test('an existing folder without the file is an error, and stays', async () => {
  await using folder = await temporaryFolder()
  const place = await folderWith(join(folder.path, 'place'), 'rest', '')
  const made = await folderWith(join(folder.path, 'made'), 'node', 'new')
  await expect(publishFolder(made, place, 'node')).rejects.toThrow()
  expect(await readdir(place)).toEqual(['rest'])
})
