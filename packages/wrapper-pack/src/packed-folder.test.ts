import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
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
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  }
}

test('new files replace the former ones, and files of the former build alone are removed', async () => {
  await using builds = await twoBuilds()
  await placeFiles({ ...builds, former: ['a.msi', 'a.wxs', 'packed', 'none'] })
  expect((await readdir(builds.folder, { recursive: true })).sort()).toEqual([
    'a.msi',
    'packed',
    join('packed', 'a.exe'),
  ])
  expect(await readFile(builds.at('out/packed/a.exe'), 'utf8')).toBe('made')
  expect((await readdir(builds.at())).sort()).toEqual(['new', 'out'])
})
