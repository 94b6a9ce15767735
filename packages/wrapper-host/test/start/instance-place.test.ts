import { randomUUID } from 'node:crypto'
import { chown, mkdir, readdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { claimInstance } from '../../src/start/claim-instance.ts'
import {
  currentUser,
  fingerprint,
  type InstanceIdentity,
  instanceName,
  locateInstance,
  placeOf,
} from '../../src/start/instance-place.ts'
import { claimAsWrapper, wrapperAt } from '../support/instance-place.ts'

const { application } = defaultBrand
const request = () => ({ launch: { id: randomUUID(), argv: [], workingDirectory: '/' } })

describe.skipIf(process.platform === 'win32')('the place of an instance with Unix sockets', () => {
  test.each([
    ['a home of macOS', 'Library/Application Support/Service/Service.Client.WebWrapper'],
    ['one that leaves no room for a socket', 'å'.repeat(60)],
  ])(
    'a wrapper is found with the per-user folder in %s, for any environment of each',
    async (_title, below) => {
      await using folder = await temporaryFolder()
      const userFolder = join(folder.path, below)
      const placeIn = (XDG_RUNTIME_DIR?: string, TMPDIR?: string) =>
        locateInstance({ application, userFolder, environment: { DISPLAY: ':1', XDG_RUNTIME_DIR, TMPDIR } })
      await using _wrapper = await wrapperAt(placeIn(folder.path))
      for (const place of [placeIn(), placeIn('', folder.path), placeIn('/nowhere')])
        expect(await claimInstance(place, request())).toMatchObject({
          role: 'handed-off',
          outcome: { status: 'accepted' },
        })
    },
  )

  test('no part of an instance lies where another user could make it first', () => {
    for (const environment of [{}, { XDG_RUNTIME_DIR: '/run' }, { TMPDIR: '/elsewhere' }]) {
      const { address, recordFile, lockFile, privateFolder } = locateInstance({
        application,
        userFolder: '/u',
        environment,
      })
      expect(privateFolder).toBe('/u/run')
      for (const path of [address, recordFile, lockFile]) expect(dirname(path)).toBe('/u/run')
    }
  })

  const at = (environment: NodeJS.ProcessEnv, name: string = application) =>
    locateInstance({
      application: name,
      userFolder: '/u',
      environment: { XDG_RUNTIME_DIR: '/run', ...environment },
    })

  test.skipIf(process.platform === 'darwin')(
    '[1-single-instance] each brand has its own, and each desktop by its display',
    () => {
      const places = [
        at({ DISPLAY: ':0' }),
        at({ DISPLAY: ':1' }),
        at({ DISPLAY: '', WAYLAND_DISPLAY: 'wayland-1' }),
        at({ DISPLAY: 'localhost:10.0' }),
        at({}),
        at({}, 'Acme.Client.WebWrapper'),
      ]
      expect(new Set(places.map(place => place.address)).size).toBe(places.length)
      expect(new Set(places.map(place => place.lockFile)).size).toBe(places.length)
    },
  )

  test('[1-single-instance] programs of one desktop find one, from any starter', () => {
    const places = [
      at({ DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_ID: '2' }),
      at({ DISPLAY: ':0.0' }),
      at({ DISPLAY: ':0' }),
    ]
    expect(new Set(places.map(place => place.address)).size).toBe(1)
  })
})

test('[1-single-instance] on Windows no variable of a launching program changes the user', () => {
  const before = { ...process.env }
  const user = currentUser('win32')
  expect(user).toContain(userInfo().username)
  try {
    for (const name of ['USERDOMAIN', 'USERNAME', 'USERPROFILE', 'HOME', 'USER']) process.env[name] = 'other'
    expect(currentUser('win32')).toBe(user)
    for (const name of ['USERDOMAIN', 'USERNAME', 'USERPROFILE', 'HOME', 'USER']) delete process.env[name]
    expect(currentUser('win32')).toBe(user)
  } finally {
    Object.assign(process.env, before)
  }
})

test('a user’s first launch makes the folder of the lock', async () => {
  await using folder = await temporaryFolder()
  const userFolder = join(folder.path, 'vendor', 'application')
  const place = placeOf({ name: 'name', desktop: '', application, userFolder }, process.platform)
  await using _claim = await claimAsWrapper(place)
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
])('a lock %s is refused with advice', async (_title, makeLock) => {
  await using folder = await temporaryFolder()
  const lockFile = await makeLock(folder.path)
  const options = { name: 'name', desktop: '', application, userFolder: join(folder.path, 'user') }
  const place = { ...placeOf(options, process.platform), lockFile }
  await expect(claimInstance(place, request())).rejects.toMatchObject({
    code: 'ERR_PRIVATE_FOLDER',
    folder: dirname(lockFile),
    message: expect.stringContaining('Remove that file'),
  })
})

if (process.getuid?.() !== 0)
  console.warn('Tests of root with the folders of another user are skipped: not root.')

describe.skipIf(process.getuid?.() !== 0)('root with the folders of another user', () => {
  test('gets no advice to remove the folder of the user’s wrapper', async () => {
    await using home = await temporaryFolder()
    const place = locateInstance({ application, userFolder: home.path })
    await mkdir(place.privateFolder, { mode: 0o700 })
    for (const folder of [home.path, place.privateFolder]) await chown(folder, 12_345, 12_345)
    await expect(claimInstance(place, request())).rejects.toMatchObject({
      code: 'ERR_INSTANCE_ACCESS',
      fault: 'elevated-process',
    })
  })

  test.each([
    ['that is not there yet', 'data/below'],
    ['that is there', ''],
  ])('creates nothing in a per-user folder %s', async (_title, below) => {
    await using runtime = await temporaryFolder()
    await using home = await temporaryFolder()
    await chown(home.path, 12_345, 12_345)
    const environment = { XDG_RUNTIME_DIR: runtime.path }
    const place = locateInstance({ application, userFolder: join(home.path, below), environment })
    await expect(claimInstance(place, request())).rejects.toMatchObject({
      code: 'ERR_INSTANCE_ACCESS',
      fault: 'elevated-process',
    })
    expect(await readdir(home.path)).toEqual([])
  })
})

const identity: InstanceIdentity = {
  user: '1000',
  desktop: '2',
  application: 'Service.Client.WebWrapper',
  userFolder: '/home/åse/.local/share/Service',
}

describe('instanceName', () => {
  test('is 32 hexadecimal digits, the same each time', () => {
    expect(instanceName(identity)).toMatch(/^[0-9a-f]{32}$/)
    expect(instanceName({ ...identity })).toBe(instanceName(identity))
  })

  test.each<[keyof InstanceIdentity, string]>([
    ['user', '1001'],
    ['desktop', '3'],
    ['application', 'Acme.Client.WebWrapper'],
    ['userFolder', '/home/åse/.local/share/service'],
  ])('[1-single-instance] another %s is another instance', (part, value) => {
    expect(instanceName({ ...identity, [part]: value })).not.toBe(instanceName(identity))
  })

  test('the boundary between the parts matters', () => {
    const one = instanceName({ ...identity, user: '1', desktop: '23' })
    expect(instanceName({ ...identity, user: '12', desktop: '3' })).not.toBe(one)
  })
})

test.each([
  ['', '6c62272e07bb014262b821756295c58d'],
  ['a', 'd228cb696f1a8caf78912b704e4a8964'],
  ['foobar', '343e1662793c64bf6f0d3597ba446f18'],
])('the fingerprint of %j equals the published vector', (text, expected) => {
  expect(fingerprint(text)).toBe(expected)
})
