import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { claimInstance } from '../src/instance/claim-instance.ts'
import { handOff } from '../src/instance/hand-off-client.ts'
import { HandOffServer } from '../src/instance/hand-off-server.ts'
import { locateInstance } from '../src/instance/locate-instance.ts'
import { windowsPlace } from '../src/instance/platform/windows.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const { application } = defaultBrand
const request = () => ({ launch: { id: randomUUID(), argv: [], workingDirectory: '/' } })
const taken = { waits: false, completed: Promise.resolve() }

describe.skipIf(process.platform === 'win32')('the place of an instance where there are Unix sockets', () => {
  test('a wrapper is found below a folder of temporary files with 48 characters, as macOS has it', async () => {
    await using folder = await temporaryFolder()
    const base = join(folder.path, 'x').padEnd(48, 'x')
    await mkdir(base)
    const place = locateInstance({ application, userFolder: '/u', environment: { XDG_RUNTIME_DIR: base } })
    expect(Buffer.byteLength(place.handOffAddress)).toBeLessThanOrEqual(103)
    const claim = await claimInstance(place, request())
    if (claim.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
    await claim.listen(async () => taken)
    expect(await handOff(place.handOffAddress, request())).toMatchObject({ status: 'accepted' })
    await claim.release()
  })

  test('[1-single-instance] brands and login sessions have their own', () => {
    const at = (name: string, session: string) =>
      locateInstance({
        application: name,
        userFolder: '/u',
        environment: { XDG_RUNTIME_DIR: '/run', XDG_SESSION_ID: session },
      })
    const places = [at(application, '1'), at(application, '2'), at('Acme.Client.WebWrapper', '1')]
    expect(new Set(places.map(place => place.handOffAddress)).size).toBe(3)
    expect(new Set(places.map(place => place.lockFile)).size).toBe(3)
  })

  test('an empty XDG_RUNTIME_DIR is none', () => {
    const place = locateInstance({ application, userFolder: '/u', environment: { XDG_RUNTIME_DIR: '' } })
    expect(place.privateFolder?.startsWith(join(tmpdir(), '/'))).toBe(true)
  })

  test('a folder whose path leaves no room for a socket is refused with what to do', () => {
    const environment = { XDG_RUNTIME_DIR: `/${'å'.repeat(40)}` }
    expect(() => locateInstance({ application, userFolder: '/u', environment })).toThrow(
      expect.objectContaining({
        code: 'ERR_PRIVATE_FOLDER',
        message: expect.stringContaining('Set XDG_RUNTIME_DIR to a folder with a shorter path.'),
      }),
    )
  })
})

test('on Windows the first launch of a user makes the folder of the lock', async () => {
  await using folder = await temporaryFolder()
  const userFolder = join(folder.path, 'vendor', 'application')
  const place = {
    ...windowsPlace.place('name', application, userFolder, {}),
    handOffAddress: join(folder.path, 'none'),
  }
  const claim = await claimInstance(place, request())
  expect(claim.role).toBe('wrapper')
  if (claim.role === 'wrapper') await claim.release()
})

test.each<[string, (folder: string) => Promise<string>]>([
  [
    'in a folder that cannot be made',
    async folder => {
      await writeFile(join(folder, 'file'), '')
      return join(folder, 'file', 'below', 'lock')
    },
  ],
  [
    'that is a folder',
    async folder => {
      await mkdir(join(folder, 'lock'))
      return join(folder, 'lock')
    },
  ],
  [
    'that is damaged',
    async folder => {
      await writeFile(join(folder, 'lock'), 'x'.repeat(4096))
      return join(folder, 'lock')
    },
  ],
])('a lock %s is refused with what to do', async (_title, makeLock) => {
  await using folder = await temporaryFolder()
  const lockFile = await makeLock(folder.path)
  const place = { handOffAddress: join(folder.path, 'none'), lockFile, privateFolder: undefined }
  await expect(claimInstance(place, request())).rejects.toMatchObject({
    code: 'ERR_PRIVATE_FOLDER',
    folder: dirname(lockFile),
    message: expect.stringContaining('Remove that file'),
  })
})

test.skipIf(process.platform === 'win32')(
  'a hand-off address that cannot be bound is refused with what to do',
  async () => {
    await using folder = await temporaryFolder()
    await mkdir(join(folder.path, 's'))
    await expect(
      HandOffServer.listen(join(folder.path, 's'), () => Promise.reject(new Error())),
    ).rejects.toMatchObject({
      code: 'ERR_PRIVATE_FOLDER',
      folder: folder.path,
      message: expect.stringContaining('Remove that file'),
    })
    await expect(
      HandOffServer.listen(join(folder.path, 'missing', 's'), () => Promise.reject(new Error())),
    ).rejects.toMatchObject({ code: 'ERR_PRIVATE_FOLDER' })
  },
)
