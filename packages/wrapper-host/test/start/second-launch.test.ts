import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { launchSchema } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { checkUserFolder } from '../../src/files/access.ts'
import { runningInstance } from '../support/running-instance.ts'

const source = fileURLToPath(new URL('../../src/cli/service-webwrapper.ts', import.meta.url))

describe('a second launch from the sources', () => {
  test('[1-single-instance] is handed over whole: arguments, working directory, a new id', async () => {
    await using instance = await runningInstance()
    await instance.modulesOf(source, ['id=1', 'firstname=Åse Marie'])
    await instance.modulesOf(source)
    expect(instance.taken).toMatchObject([
      { argv: ['id=1', 'firstname=Åse Marie'], workingDirectory: instance.folder },
      { argv: [], workingDirectory: instance.folder },
    ])
    expect(instance.taken.map(launch => launchSchema.parse(launch))).toEqual(instance.taken)
    expect(new Set(instance.taken.map(({ id }) => id)).size).toBe(2)
  })
})

describe.skipIf(process.platform === 'win32')('a launch from a broken place', () => {
  const start = (file: string, argv: readonly string[], environment: NodeJS.ProcessEnv) =>
    promisify(execFile)(file, argv, { env: { ...process.env, ...environment } }).then(
      () => ({ code: 0, stderr: '' }),
      ({ code, stderr }) => ({ code, stderr }),
    )
  const program = ['-C', '@service-link/source', source]

  test('such as a removed directory is handed over; files are not found there', async () => {
    await using instance = await runningInstance()
    const removed = join(instance.folder, 'removed')
    await mkdir(removed)
    const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
    const argv = ['-c', script, 'sh', removed, process.execPath, ...program, 'id=1']
    const environment = { SERVICE_WRAPPER_DATA: instance.userFolder, XDG_RUNTIME_DIR: instance.folder }
    expect(await start('/bin/sh', argv, environment)).toEqual({ code: 0, stderr: '' })
    expect(instance.taken).toMatchObject([{ argv: ['id=1'], workingDirectory: '/nonexistent' }])
  })

  test('such as a per-user folder behind a circle of links is refused with a code', async () => {
    await using folder = await temporaryFolder()
    const loop = join(folder.path, 'loop')
    await symlink(loop, loop)
    const environment = { SERVICE_WRAPPER_DATA: loop, XDG_RUNTIME_DIR: folder.path }
    const { code, stderr } = await start(process.execPath, program, environment)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /cannot be looked at \(ELOOP\)\. .*\(ERR_PRIVATE_FOLDER\)\nhttps:\S+\nThe log .* cannot be written/,
    )
    for (const data of [join(loop, 'below'), join(folder.path, 'x'.repeat(300))])
      expect(() => checkUserFolder(data)).toThrow(/cannot be looked at \((ELOOP|ENAMETOOLONG)\)/)
  })
})
