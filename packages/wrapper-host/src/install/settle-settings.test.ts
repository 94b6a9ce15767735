import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultBrand as brand } from '@service-link/protocol-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deliveredSettings, removeSettings, settleSettings } from './settle-settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settle-test-'))
})
const file = () => join(folder, brand.configFile)
const deliveredFile = () => join(folder, deliveredSettings(brand))
afterEach(async () => {
  for (const path of [file(), deliveredFile()]) await rm(path, { force: true })
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

test.each<[string, { there?: string; before?: string }, string]>([
  ['are made at the first installation', {}, 'new'],
  ['are made anew where they were lost', { before: 'old' }, 'new'],
  ['that were put there beforehand stay', { there: 'own' }, 'own'],
  ['that nobody has changed are replaced', { there: 'old', before: 'old' }, 'new'],
  ['that somebody has changed stay', { there: 'changed', before: 'old' }, 'changed'],
  ['that are the new ones already stay', { there: 'new', before: 'old' }, 'new'],
])('settings %s', async (_title, { there, before }, expected) => {
  await writeFile(deliveredFile(), 'new')
  if (there !== undefined) await writeFile(file(), there)
  await settleSettings(brand, folder, before && hashOf(before).toUpperCase())
  expect(await readFile(file(), 'utf8')).toBe(expected)
})

test('without delivered settings nothing is made, and nothing removed', async () => {
  await expect(settleSettings(brand, folder, undefined)).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(file(), 'own')
  await removeSettings(brand, folder)
  expect(await readFile(file(), 'utf8')).toBe('own')
})

test('settings go with those that were delivered', async () => {
  await writeFile(deliveredFile(), 'new')
  await settleSettings(brand, folder, undefined)
  await removeSettings(brand, folder)
  await expect(readFile(file())).rejects.toMatchObject({ code: 'ENOENT' })
})
