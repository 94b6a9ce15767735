import { chmod, lstat, mkdir, readFile, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import {
  findDesktopProblem,
  findProgram,
  programEnvironment,
  runnableProgram,
} from '../../src/tray/find-program.ts'

describe('findProgram', () => {
  test.each([
    ['linux', 'x64'],
    ['darwin', 'arm64'],
  ] as const)('the package has the program of %s', async (platform, architecture) => {
    const { file, version } = await findProgram(platform, architecture)
    expect((await stat(file)).size).toBeGreaterThan(1_000_000)
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('a missing package, or a missing program for the processor, is reported', async () => {
    const absent = () =>
      createRequire(import.meta.filename).resolve('systray-that-is-not-installed/package.json')
    await expect(findProgram('linux', 'x64', absent)).rejects.toMatchObject({ fault: 'no-package' })
    await expect(findProgram('linux', 'arm64')).rejects.toMatchObject({ fault: 'no-program' })
  })

  test('a package whose program is gone, as after a virus scan, is reported', async () => {
    await using folder = await temporaryFolder()
    const manifest = join(folder.path, 'package.json')
    await writeFile(manifest, '{"version":"1.0.0"}')
    const locate = () => manifest
    await expect(findProgram('linux', 'x64', locate)).rejects.toMatchObject({ fault: 'no-program' })
    await writeFile(manifest, '{"version":"../../elsewhere"}')
    await expect(findProgram('linux', 'x64', locate)).rejects.toMatchObject({ fault: 'no-package' })
  })
})

describe.skipIf(process.platform === 'win32')('the copy of the program', () => {
  async function place() {
    const folder = await temporaryFolder()
    const program = join(folder.path, 'program')
    await writeFile(program, 'content', { mode: 0o644 })
    const own = join(folder.path, 'tray')
    return { program, own, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
  }

  test('is made where the program may not run, private to this user', async () => {
    await using where = await place()
    const file = await runnableProgram({ file: where.program, version: '1.0.0' }, where.own)
    expect(file).toBe(join(where.own, '1.0.0', 'program'))
    expect(await readFile(file, 'utf8')).toBe('content')
    expect((await stat(file)).mode & 0o777).toBe(0o700)
    expect((await stat(join(where.own, '1.0.0'))).mode & 0o777).toBe(0o700)
  })

  test('is not made where the program may run', async () => {
    await using where = await place()
    await chmod(where.program, 0o755)
    const file = await runnableProgram({ file: where.program, version: '1.0.0' }, where.own)
    expect(file).toBe(where.program)
    await expect(lstat(where.own)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  const copyOf = ({ program, own }: { program: string; own: string }) =>
    runnableProgram({ file: program, version: '1.0.0' }, own)

  test('is used again', async () => {
    await using where = await place()
    const copy = await copyOf(where)
    await utimes(copy, 1000, 1000)
    expect(await copyOf(where)).toBe(copy)
    expect((await stat(copy)).mtimeMs).toBe(1_000_000)
  })

  test.each([
    ['others may enter', (folder: string) => mkdir(folder).then(() => chmod(folder, 0o755))],
    ['is a link', (folder: string) => symlink('/tmp', folder)],
    ['is a file', (folder: string) => writeFile(folder, '')],
  ])('is not put into a folder that %s', async (_, prepare) => {
    await using where = await place()
    await mkdir(where.own)
    await prepare(join(where.own, '1.0.0'))
    await expect(copyOf(where)).rejects.toMatchObject({ code: 'ERR_PRIVATE_FOLDER' })
  })
})

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  test.each([
    ['no-display', { DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=x' }],
    ['no-bus', { DISPLAY: ':0' }],
    ['no-bus', { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/nowhere' }],
  ])('%s: %j', async (fault, environment) => {
    expect(await findDesktopProblem(environment)).toMatchObject({ code: 'ERR_TRAY', fault })
  })

  test('the bus of the desktop is found at systemd’s place', async () => {
    await using folder = await temporaryFolder()
    const server = createServer()
    await new Promise<void>(resolve => server.listen(join(folder.path, 'bus'), resolve))
    const problem = await findDesktopProblem({ DISPLAY: ':0', XDG_RUNTIME_DIR: folder.path })
    expect(problem?.fault).not.toBe('no-bus')
    await new Promise(resolve => server.close(resolve))
  })

  test('the library is found under its present name, and provided under the program’s', async () => {
    await using folder = await temporaryFolder()
    const folders = [folder.path]
    const environment = {
      DISPLAY: ':0',
      DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=x',
      LD_LIBRARY_PATH: '/own',
    }
    expect(await findDesktopProblem(environment, folders)).toMatchObject({ fault: 'no-library' })

    const shipped = join(folder.path, 'libayatana-appindicator3.so.1')
    await writeFile(shipped, '')
    expect(await findDesktopProblem(environment, folders)).toBeUndefined()
    const own = join(folder.path, 'lib')
    for (const _ of ['made', 'found']) {
      const given = await programEnvironment(environment, own, folders)
      expect(given).toEqual({ ...environment, LD_LIBRARY_PATH: `${join(folder.path, 'lib')}:/own` })
      expect(await readlink(join(folder.path, 'lib', 'libappindicator3.so.1'))).toBe(shipped)
    }

    await writeFile(join(folder.path, 'libappindicator3.so.1'), '')
    expect(await programEnvironment(environment, own, folders)).toEqual(environment)
  })
})
