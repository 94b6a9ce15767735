import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { claimBrowserFolder } from '../../src/start/browser-folder.ts'

const module = new URL('../../src/start/browser-folder.ts', import.meta.url).href
const nobody = 65_534

describe('the folder of the browser’s profiles', () => {
  test('is another one for each running wrapper of a user, and freed with it', async () => {
    await using folder = await temporaryFolder()
    const claim = () => claimBrowserFolder(folder.path)
    const first = await claim()
    using second = await claim()
    expect([first.folder, second.folder]).toEqual(
      ['browser', 'browser-2'].map(name => join(folder.path, name)),
    )
    first[Symbol.dispose]()
    using third = await claim()
    expect(third.folder).toBe(first.folder)
  })

  test('has nothing of killed wrappers, nor have the folders that no wrapper holds', async () => {
    await using folder = await temporaryFolder()
    const claim = () => claimBrowserFolder(folder.path)
    using other = await claim()
    for (const name of ['browser', 'browser-2', 'browser-17', 'browser-of-mine'])
      await mkdir(join(folder.path, name, 'Default'), { recursive: true })
    await writeFile(join(folder.path, 'browser-2', 'Default', 'History'), 'Kari')
    using own = await claim()
    expect([other.folder, own.folder].map(path => path.slice(folder.path.length + 1))).toEqual([
      'browser',
      'browser-2',
    ])
    const left = (await readdir(folder.path)).filter(name => !name.endsWith('.lock'))
    expect(left.sort()).toEqual(['browser', 'browser-of-mine'])
    expect(own.left).toBeUndefined()
  })

  // Root may remove everything: the process becomes another user for the attempt.
  test.skipIf(process.platform === 'win32')(
    'is claimed although something in it cannot be removed, and the reason is reported',
    async () => {
      await using folder = await temporaryFolder()
      const stuck = join(folder.path, 'browser', 'stuck')
      await mkdir(join(stuck, 'inside'), { recursive: true })
      await chmod(stuck, 0o500)
      const isRoot = process.getuid?.() === 0
      if (isRoot)
        for (const path of [folder.path, join(folder.path, 'browser'), stuck])
          await chown(path, nobody, nobody)
      const attempt = `${isRoot ? `process.setuid(${nobody})` : ''}
        const { claimBrowserFolder } = await import(process.argv[1])
        const claimed = await claimBrowserFolder(process.argv[2])
        console.log(claimed.left, claimed.folder, await claimed.remove())`
      const flags = ['-C', '@service-link/source', '--input-type=module', '-e', attempt]
      const { stdout } = await promisify(execFile)(process.execPath, [...flags, module, folder.path])
      expect(stdout).toBe(`EACCES ${join(folder.path, 'browser')} EACCES\n`)
      await chmod(stuck, 0o700)
    },
  )
})
