import { mkdirSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/support/shared.ts'
import { placeFiles } from './packed-folder.ts'

/** A folder `out` with a former build of two files and a folder, and a new one beside it. */
async function twoBuilds() {
  const root = await temporaryFolder()
  const at = (...names: string[]) => join(root.path, ...names)
  for (const [folder, content] of [
    ['out', 'former'],
    ['new', 'made'],
  ] as const) {
    await mkdir(at(folder, 'packed'), { recursive: true })
    for (const name of ['a.msi', 'a.wxs', 'packed/a.exe']) await writeFile(at(folder, name), content)
  }
  const made = ['a.msi', 'packed'].map(name => ({ from: at('new', name), name }))
  return {
    at,
    made,
    folder: at('out'),
    aside: at('aside'),
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  }
}

test('new files replace the former ones, and files of the former build alone are removed', async () => {
  await using builds = await twoBuilds()
  await placeFiles({ ...builds, stale: ['a.wxs', 'none'] })
  expect((await readdir(builds.folder, { recursive: true })).sort()).toEqual([
    'a.msi',
    'packed',
    join('packed', 'a.exe'),
  ])
  expect(await readFile(builds.at('out/packed/a.exe'), 'utf8')).toBe('made')
  expect((await readdir(builds.at())).sort()).toEqual(['new', 'out'])
})

test('when one cannot be moved, the former files are all restored', async () => {
  await using builds = await twoBuilds()
  const made = [...builds.made, { from: builds.at('none'), name: 'none' }]
  await expect(placeFiles({ ...builds, made, stale: ['a.wxs'] })).rejects.toMatchObject({ code: 'ENOENT' })
  for (const name of ['a.msi', 'a.wxs', 'packed/a.exe'])
    expect(await readFile(builds.at('out', name), 'utf8'), name).toBe('former')
  expect(await readFile(builds.at('new/a.msi'), 'utf8')).toBe('made')
  expect((await readdir(builds.at())).sort()).toEqual(['new', 'out'])
})

test('a file that cannot be restored stays aside, named by the error, and the rest is restored', async () => {
  await using builds = await twoBuilds()
  const failing = {
    name: 'none',
    // Another file takes a moved-aside one's place before the last move fails.
    get from() {
      mkdirSync(builds.at('out/a.wxs'))
      return builds.at('none')
    },
  }
  await expect(
    placeFiles({ ...builds, made: [...builds.made, failing], stale: ['a.wxs'] }),
  ).rejects.toMatchObject({
    ...{ code: 'ERR_PACK', step: 'folder' },
    message: `The folder cannot be written (ENOENT), and not all former files could be put back: the rest is in ${builds.aside}.`,
  })
  expect(await readdir(builds.aside)).toEqual(['a.wxs'])
  expect(await readFile(builds.at('aside/a.wxs'), 'utf8')).toBe('former')
  for (const name of ['a.msi', 'packed/a.exe'])
    expect(await readFile(builds.at('out', name), 'utf8'), name).toBe('former')
})
