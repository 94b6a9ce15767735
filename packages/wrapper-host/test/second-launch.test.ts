import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { defaultBrand, type Launch, launchSchema } from '@service-link/protocol-core'
import { build } from 'tsup'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimInstance } from '../src/instance/claim-instance.ts'
import { locateInstance } from '../src/instance/locate-instance.ts'
import executable from '../tsup.executable.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const source = join(packageFolder, 'src/cli/service-webwrapper.ts')

/** An instance of this process, to which the executable hands its launches over. */
async function runningInstance() {
  const folder = await temporaryFolder()
  const userFolder = join(folder.path, 'data')
  const environment = {
    ...process.env,
    SERVICE_WRAPPER_DATA: userFolder,
    XDG_RUNTIME_DIR: folder.path,
    MODULE_LIST: join(folder.path, 'modules.json'),
  }
  const place = locateInstance({ application: defaultBrand.application, userFolder, environment })
  const launch = { id: randomUUID(), argv: [], workingDirectory: folder.path }
  const claim = await claimInstance(place, { launch })
  if (claim.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
  const taken: Launch[] = []
  await claim.listen(async received => {
    taken.push(received)
    return { waits: false, completed: Promise.resolve() }
  })
  return {
    folder: folder.path,
    userFolder,
    taken,
    /** Starts the executable and tells what it had loaded when it ended. */
    async modulesOf(program: string, argv: readonly string[] = []) {
      const preload = pathToFileURL(join(packageFolder, 'test/_list-modules.ts')).href
      const options = ['-C', '@service-link/source', '--no-warnings', '--import', preload]
      const { stderr } = await promisify(execFile)(process.execPath, [...options, program, ...argv], {
        env: environment,
        cwd: folder.path,
      })
      if (stderr !== '') throw new Error(stderr)
      return JSON.parse(await readFile(environment.MODULE_LIST, 'utf8'))
    },
    async [Symbol.asyncDispose]() {
      await claim.release()
      await folder[Symbol.asyncDispose]()
    },
  }
}

describe('a second launch from the sources', () => {
  test('[1-single-instance] is handed over whole: arguments, working directory, an id of its own', async () => {
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

  test('loads no schemas, no schema library, no database and no cryptography', async () => {
    await using instance = await runningInstance()
    const { files, ofNode } = await instance.modulesOf(source)
    expect(files).toContain(pathToFileURL(source).href)
    expect(files.filter((url: string) => /node_modules|schema|create-wrapper|run-wrapper/.test(url))).toEqual(
      [],
    )
    expect(ofNode).toContain('net')
    expect(ofNode).not.toContain('sqlite')
    expect(ofNode).not.toContain('crypto')
  })
})

describe.skipIf(process.platform === 'win32')('a launch from a place that is not in order', () => {
  const start = (file: string, argv: readonly string[], environment: NodeJS.ProcessEnv) =>
    promisify(execFile)(file, argv, { env: { ...process.env, ...environment } }).then(
      () => ({ code: 0, stderr: '' }),
      ({ code, stderr }) => ({ code, stderr }),
    )
  const program = ['-C', '@service-link/source', source]

  test('such as a directory that was removed is handed over; files are not found there', async () => {
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
    for (const data of [loop, join(loop, 'below'), join(folder.path, 'x'.repeat(300))]) {
      const environment = { SERVICE_WRAPPER_DATA: data, XDG_RUNTIME_DIR: folder.path }
      const { code, stderr } = await start(process.execPath, program, environment)
      expect(code).toBe(2)
      expect(stderr).toMatch(/cannot be looked at \((ELOOP|ENAMETOOLONG)\)\. .*\(ERR_PRIVATE_FOLDER\)\n$/)
    }
  })
})

describe('the executable as it is built', () => {
  let built: Awaited<ReturnType<typeof temporaryFolder>>
  let program: string
  beforeAll(async () => {
    built = await temporaryFolder()
    program = join(built.path, 'cli/service-webwrapper.mjs')
    await build({
      ...executable,
      config: false,
      silent: true,
      outDir: built.path,
      outExtension: () => ({ js: '.mjs' }),
    })
  })
  afterAll(() => built[Symbol.asyncDispose]())

  test('is one file, and loads nothing of Node for a hand-off but sockets and what they need', async () => {
    await using instance = await runningInstance()
    const { files, ofNode } = await instance.modulesOf(program)
    expect(instance.taken).toHaveLength(1)
    expect(files.map((url: string) => basename(url))).toEqual(['service-webwrapper.mjs'])
    expect(ofNode).toContain('net')
    expect(ofNode).not.toContain('sqlite')
    expect(ofNode).not.toContain('crypto')
    expect(ofNode).not.toContain('fs/promises')
  })
})
