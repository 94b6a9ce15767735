import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultBrand as brand } from '@service-link/protocol-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliveredSettings } from '../settings/wrapper-folders.ts'
import { removeSettings, settleSettings } from './settle-settings.ts'

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
  await settleSettings(brand, folder, { delivered: before && hashOf(before).toUpperCase() })
  expect(await readFile(file(), 'utf8')).toBe(expected)
})

test('without delivered settings nothing is made, and nothing removed', async () => {
  await expect(settleSettings(brand, folder)).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(file(), 'own')
  await removeSettings(brand, folder)
  expect(await readFile(file(), 'utf8')).toBe('own')
})

test('settings go with those that were delivered', async () => {
  await writeFile(deliveredFile(), 'new')
  await settleSettings(brand, folder)
  await removeSettings(brand, folder)
  await expect(readFile(file())).rejects.toMatchObject({ code: 'ENOENT' })
})

test('settings that somebody has changed stay at removal', async () => {
  await writeFile(deliveredFile(), 'new')
  await writeFile(file(), 'changed')
  await removeSettings(brand, folder)
  expect(await readFile(file(), 'utf8')).toBe('changed')
})

describe('where the wrapper moves', () => {
  const vendor = () => join(folder, brand.vendor)
  const former = () => join(vendor(), brand.application)
  const formerFile = () => join(former(), brand.configFile)
  const delivered = hashOf('old')
  beforeEach(async () => {
    await mkdir(former(), { recursive: true })
    await writeFile(deliveredFile(), 'new')
  })
  afterEach(() => rm(vendor(), { recursive: true, force: true, maxRetries: 5 }))

  test.each([
    ['changed', 'changed'],
    ['old', 'new'],
  ])('settings that were %j are %j, and the former folders go', async (there, expected) => {
    await writeFile(formerFile(), there)
    await settleSettings(brand, folder, { folder: former(), delivered })
    expect(await readFile(file(), 'utf8')).toBe(expected)
    await expect(access(vendor())).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('settings that the new folder has come first, and changed ones are not lost', async () => {
    await writeFile(file(), 'own')
    await writeFile(formerFile(), 'changed')
    await settleSettings(brand, folder, { folder: former(), delivered })
    expect(await readFile(file(), 'utf8')).toBe('own')
    expect(await readFile(formerFile(), 'utf8')).toBe('changed')
  })

  test('folders stay that have something else in them, or are not called as the vendor’s', async () => {
    const other = join(vendor(), 'other')
    await mkdir(other)
    for (const place of [former(), other]) {
      await writeFile(join(place, brand.configFile), 'old')
      await writeFile(join(former(), 'somebody’s'), '')
      await settleSettings(brand, folder, { folder: place, delivered })
      await expect(access(join(place, brand.configFile))).rejects.toMatchObject({ code: 'ENOENT' })
    }
    await access(join(former(), 'somebody’s'))
    await expect(access(other)).rejects.toMatchObject({ code: 'ENOENT' })
    const plain = join(vendor(), 'plain', 'Wrapper')
    await mkdir(plain, { recursive: true })
    await writeFile(join(plain, brand.configFile), 'old')
    await settleSettings(brand, folder, { folder: plain, delivered })
    await access(join(vendor(), 'plain'))
    await expect(access(plain)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a folder that still has the wrapper, or is not absolute, is left alone', async () => {
    await writeFile(formerFile(), 'changed')
    await writeFile(join(former(), deliveredSettings(brand)), 'old')
    await settleSettings(brand, folder, { folder: former(), delivered })
    await settleSettings(brand, folder, { folder: '.', delivered: ' ' })
    expect(await readFile(file(), 'utf8')).toBe('new')
    expect(await readFile(formerFile(), 'utf8')).toBe('changed')
  })
})
