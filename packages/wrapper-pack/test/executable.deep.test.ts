import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { configuredExecutable } from '@service-link/test-kit/configured-executable'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { startExecutable, wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { helpText } from '@service-link/wrapper-host/packing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @boundaries-ignore: the icon of the wrapper is no part of its API
import { neutralPicture } from '../../wrapper-host/src/window/brand-icon.ts'
import { brandFile, cannotPack, packForHere } from './support/pack.ts'

const example = await readFile(new URL('../../../docs/examples/providers/Acme.Journal.mjs', import.meta.url))
const argumentsProvider = 'provider=Service.Desktop.Arguments.Component, Service.Desktop'

const oldUserConfig = `<configuration><userSettings><S>
  <setting name="BrowserEngine"><value>WebViewBrowser</value></setting>
  <setting name="Maximized"><value>False</value></setting>
</S></userSettings></configuration>`

/** Modules of providers by the rest of their assembly's name, with the code that each begins with. */
const modules = {
  Imports: `await import('planted')`,
  Requires: `import { createRequire } from 'node:module'; createRequire(import.meta.url)('planted')`,
  Sibling: `import './Acme.Part.mjs'`,
  Outside: `import { pathToFileURL } from 'node:url'; await import(pathToFileURL(process.env.TEST_OUTSIDE).href)`,
  Whole: '',
}
const providerOf = (code: string) =>
  `${code}\nexport const Component = { provide: () => ({ commands: [] }) }\n`

/** Writes the modules that are packed; returns their names. */
async function writeModules(folder: string): Promise<string[]> {
  const texts = Object.entries(modules).map(([name, code]) => [`Acme.${name}.mjs`, providerOf(code)] as const)
  const files = [['Acme.Journal.mjs', example], ['Acme.Part.mjs', 'export {}\n'], ...texts] as const
  for (const [name, content] of files) await writeFile(join(folder, name), content)
  return files.map(([name]) => name)
}

if (cannotPack) console.error(`Packed executables are not tested: ${cannotPack}.`)

describe.skipIf(cannotPack !== undefined)('a packed executable', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let packed: string
  beforeAll(async () => {
    folder = await temporaryFolder()
    const settings = { Culture: 'nb-NO' }
    const brand = { defaultProvider: 'arguments', defaultEngines: ['WebViewBrowser'] }
    const made = await mkdtemp(join(folder.path, 'modules-'))
    const providerModules = (await writeModules(made)).map(name => join(made, name))
    const further = { appUrl: 'https://app.example/', distributorName: 'Acme & Søn', providerModules }
    const content = { ...brand, ...further, settings }
    packed = await packForHere(await brandFile(folder.path, content), folder.path)
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  const run = (...argv: string[]) =>
    promisify(execFile)(packed, argv, {
      env: { ...process.env, XDG_DATA_HOME: folder.path },
    })

  test('is one file with its resources beside it, protected from other users', async () => {
    const root = dirname(packed)
    const files = (await readdir(root, { recursive: true })).filter(name => !name.includes('.mjs'))
    expect(files.sort()).toEqual([
      'Service.Client.WebWrapper',
      'Service.Client.WebWrapper.Launch',
      'Service.Client.WebWrapper.exe.config',
      'licenses.txt',
      'providers',
      'providers/README.txt',
      'tray',
      'tray/tray_linux_release',
    ])
    for (const name of await readdir(root, { recursive: true }))
      expect((await stat(join(root, name))).mode & 0o022, name).toBe(0)
    const licenses = await readFile(join(root, 'licenses.txt'), 'utf8')
    for (const name of ['zod', 'systray2', 'Node.js is licensed', 'OpenSSL', 'Rich Felker'])
      expect(licenses).toContain(name)
    const { components } = JSON.parse(await readFile(`${root}.cdx.json`, 'utf8'))
    const libraries = components.filter(({ type }: { type: string }) => type === 'library')
    expect(libraries.length).toBeGreaterThan(5)
    for (const { name, version } of libraries) expect(licenses).toContain(`${name} ${version} (`)
  })

  test('[2.2-files] has its brand file’s settings, and reports them under its name', async () => {
    expect((await run('--help')).stdout).toBe(helpText('Service.Client.WebWrapper'))
    const { stdout, stderr } = await run('settings', '--json')
    expect(stderr).toBe('')
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ version: '3.1.0.0', isRight: true })
    const settingOf = (name: string) => report.settings.find((each: { name: string }) => each.name === name)
    expect(settingOf('AppUrl')).toMatchObject({ value: 'https://app.example/', origin: 'application file' })
    expect(settingOf('DistributorName')).toMatchObject({ value: 'Acme & Søn', origin: 'application file' })
    expect(settingOf('Culture')).toMatchObject({ value: 'nb-NO', origin: 'application file' })
    expect(settingOf('ProtocolProvider').value).toBe('Service.Desktop.Arguments.Component, Service.Desktop')
    const files = await readFile(`${packed}.exe.config`, 'utf8')
    expect(files).toContain('<value>{webwrapper_site}</value>')
  })

  test('has its brand’s habits', async () => {
    const user = join(folder.path, 'Service/Service.Client.WebWrapper/3.1.0.0/user.config')
    await mkdir(dirname(user), { recursive: true })
    await writeFile(user, oldUserConfig)
    const { settings, unknown } = JSON.parse((await run('settings', '--json')).stdout)
    await rm(user)
    expect(unknown).toEqual(['Maximized'])
    expect(settings[0]).toMatchObject({ name: 'BrowserEngine', value: 'EoWebBrowser', origin: 'user file' })
  })

  test.each([
    ['NODE_OPTIONS', (file: string) => `--require ${file}`, `console.log('other code')\n`],
    // Names a missing library, so that any program that loads it fails.
    [
      'OPENSSL_CONF',
      (file: string) => file,
      'nodejs_conf=a\n[a]\nproviders=b\n[b]\nc=d\n[d]\nmodule=/none.so\nactivate=1\n',
    ],
  ])('runs no code from the variable %s', async (name, variableFor, content) => {
    const other = join(folder.path, `${name}.cjs`)
    await writeFile(other, content)
    const env = { ...process.env, [name]: variableFor(other) }
    const ofNode = await promisify(execFile)(process.execPath, ['-e', '0'], { env }).catch(error => error)
    expect(ofNode.stdout + ofNode.stderr).not.toBe('')
    expect((await promisify(execFile)(packed, ['--help'], { env })).stdout).toBe(
      helpText('Service.Client.WebWrapper'),
    )
  })

  test('leaves options of Node to the wrapper, before and after other arguments', async () => {
    const options = [
      '--env-file=/none/of.env',
      '--env-file-if-exists=/none/of.env',
      '--require=/none/of.cjs',
      '--import=/none/of.mjs',
      '--inspect=0',
      '--inspect-brk=0',
      '--eval=process.exit(3)',
      '--print',
      '--check',
      '--test',
      '--watch',
      '--run=x',
      '--permission',
      '--cpu-prof',
      '--version',
      '--v8-options',
      '--prof-process',
      '--build-sea=/none/of.json',
      '--openssl-config=/none/of.cnf',
      '--node-options=--inspect',
      '--max-old-space-size=1',
    ]
    const ends = await Promise.all([run(...options, '--help'), run('id=1', '--', ...options, '--help')])
    const help = { stdout: helpText('Service.Client.WebWrapper'), stderr: '' }
    expect(ends).toEqual([help, help])
  })

  test.each([
    ['--experimental-config-file=node.config.json'],
    ['--experimental-config-file'],
    ['--experimental-default-config-file'],
    ['id=1', '--', '--experimental-config-file=node.config.json'],
  ])('ignores a configuration of Node: %s %s %s', async (...argv) => {
    const cwd = join(folder.path, 'configured')
    await mkdir(cwd, { recursive: true })
    await writeFile(join(cwd, 'node.config.json'), '{"permission":{"allow-fs-read":["/none"]}}')
    const refused = await promisify(execFile)(packed, [...argv, '--help'], { cwd }).catch(error => error)
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/\(ERR_ARGS\)\nhttps:\S+\n$/),
    })
  })

  test.skipIf(!hasBrowser).each([
    ['it', ''],
    ['its launcher', '.Launch'],
  ])(
    '[1-single-instance] %s becomes the wrapper with a window, and a second start hands over',
    async (_title, ending) => {
      await using wrapper = await wrapperExecutable({ packed: packed + ending })
      const first = wrapper.start('queryexercises=knee', argumentsProvider)
      await first.isWrapper
      await wrapper.called(calls => calls.length === 1)
      const second = await wrapper.start('queryworkouts=back', argumentsProvider, 'wait=true').ended
      expect(second).toEqual({ exitCode: 0, errors: '' })
      expect(wrapper.calls.map(({ name }) => name)).toEqual(['queryExercises', 'queryWorkouts'])
      const log = await readFile(join(wrapper.data, 'logs/wrapper.log'), 'utf8')
      expect(log).toContain('"version":"3.1.0.0"')
      first.child.kill('SIGTERM')
      const { exitCode, errors } = await first.ended
      expect(exitCode).toBe(0)
      expect(errors).not.toMatch(/Warning/)
    },
  )

  test.skipIf(!hasBrowser)('[4.2-provider] loads a custom provider that was packed with it', async () => {
    const setting = { ProtocolProvider: 'Acme.Journal.Component, Acme.Journal' }
    await using wrapper = await configuredExecutable(setting, {}, { packed })
    await writeFile(
      join(wrapper.folder, 'first.jrn'),
      'PatientNo=4711\nGivenName=Ola\nFamilyName=van Dyk\nBorn=1980-04-03\n',
    )
    wrapper.start('first.jrn')
    await wrapper.called(calls => calls.length === 1)
    expect(wrapper.calls).toMatchObject([{ name: 'selectPerson', value: { customId: '4711' } }])
  })

  /** The end of a start with a provider that leaves a mark if it runs. */
  const evil = (file: string) =>
    providerOf(`process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(file)}, '')`)
  type Wrapper = Awaited<ReturnType<typeof configuredExecutable>>
  test.each<[string, string, (wrapper: Wrapper, code: string) => Promise<unknown>, RegExp]>([
    [
      'was added to its folder',
      'Evil',
      ({ root }, code) => writeFile(join(root, 'providers/Evil.mjs'), code),
      /Evil\.mjs was not packed with this wrapper\. .*\(ERR_PROVIDER_MODULE\)/,
    ],
    [
      'was changed',
      'Acme.Whole',
      ({ root }, code) => replace(join(root, 'providers/Acme.Whole.mjs'), code),
      /Acme\.Whole\.mjs was changed after this wrapper was packed\. .*\(ERR_PROVIDER_MODULE\)/,
    ],
    [
      'has the name of another',
      'Acme.Whole',
      async ({ root }) => {
        const other = await readFile(join(root, 'providers/Acme.Journal.mjs'), 'utf8')
        await replace(join(root, 'providers/Acme.Whole.mjs'), other)
      },
      /was changed after/,
    ],
    [
      'imports a file beside it that was changed',
      'Acme.Sibling',
      ({ root }, code) => replace(join(root, 'providers/Acme.Part.mjs'), code),
      /did not load \(ERR_MODULE_NOT_PACKED\)/,
    ],
    [
      'imports a file from elsewhere',
      'Acme.Outside',
      ({ folder }, code) => writeFile(join(folder, 'outside.mjs'), code),
      /did not load \(ERR_MODULE_NOT_PACKED\)/,
    ],
    [
      'lies in a folder that a variable names',
      'Evil',
      async ({ folder }, code) => {
        await mkdir(join(folder, 'evil/providers'), { recursive: true, mode: 0o755 })
        await writeFile(join(folder, 'evil/providers/Evil.mjs'), code, { mode: 0o644 })
      },
      /\(ERR_PROVIDER_UNKNOWN\)/,
    ],
  ])('runs no custom provider that %s', async (_title, assembly, prepare, refusal) => {
    await using folder = await temporaryFolder()
    const outside = join(folder.path, 'outside.mjs')
    const environment = { ...process.env, TEST_OUTSIDE: outside }
    await using wrapper = await configuredExecutable({}, {}, { packed, environment })
    const mark = join(folder.path, 'it-ran')
    await prepare({ ...wrapper, folder: folder.path }, evil(mark))
    const evilRoot = join(folder.path, 'evil')
    const started = startExecutable(wrapper.command().file, [`provider=Component, ${assembly}`, 'a=b'], {
      cwd: wrapper.folder,
      env: { ...wrapper.command().environment, SERVICE_WRAPPER_ROOT: evilRoot },
    })
    const { exitCode, errors } = await started.ended
    expect(errors).toMatch(refusal)
    expect(exitCode).toBe(2)
    await expect(access(mark)).rejects.toThrow()
  })

  test.skipIf(!hasBrowser)(
    'ignores variables that lead elsewhere, says so once, and opens no debugger',
    async () => {
      await using elsewhere = await temporaryFolder()
      const names = ['SERVICE_BROWSER', 'SERVICE_WRAPPER_DATA', 'SERVICE_WRAPPER_ROOT']
      const variables = Object.fromEntries(names.map(name => [name, elsewhere.path]))
      await using wrapper = await wrapperExecutable({ packed })
      const { file, environment } = wrapper.command()
      const started = startExecutable(file, [], {
        cwd: wrapper.folder,
        env: { ...environment, ...variables },
      })
      await started.isWrapper
      started.child.kill('SIGUSR1')
      expect(await readdir(elsewhere.path)).toEqual([])
      const log = await readFile(join(wrapper.data, 'logs/wrapper.log'), 'utf8')
      expect(log.match(/"event":"variables-ignored","names":"([^"]*)"/g)).toEqual([
        `"event":"variables-ignored","names":"${names.join(', ')}"`,
      ])
      // It takes launches after the signal.
      expect(await wrapper.start('wait=true').ended).toEqual({ exitCode: 0, errors: '' })
      started.child.kill('SIGTERM')
      const { exitCode, errors } = await started.ended
      expect(errors).not.toContain('Debugger')
      expect(exitCode).toBe(0)
    },
  )

  test.skipIf(!hasBrowser)(
    'takes no compiled code of a provider from a folder that a variable names',
    async () => {
      await using cache = await temporaryFolder()
      const environment = { ...process.env, NODE_COMPILE_CACHE: cache.path }
      await using wrapper = await wrapperExecutable({ packed, environment })
      const stored = async () => {
        const started = wrapper.start('provider=Component, Acme.Whole')
        await started.isWrapper
        started.child.kill('SIGTERM')
        await started.ended
        const entries = await readdir(cache.path, { recursive: true, withFileTypes: true })
        const files = entries.filter(entry => entry.isFile())
        return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'hex')))
      }
      const first = await stored()
      // The checksum in it is not that of the next start, which writes it anew and takes nothing.
      expect(first).not.toEqual([])
      expect(await stored()).not.toEqual(first)
    },
  )

  test.skipIf(!hasBrowser).each(['Imports', 'Requires'])(
    'loads no custom provider that asks for a package in a folder above: %s',
    async name => {
      await using wrapper = await configuredExecutable({}, {}, { packed })
      // Node itself finds it there.
      const planted = join(wrapper.folder, 'node_modules/planted')
      await mkdir(planted, { recursive: true })
      await writeFile(join(planted, 'index.js'), `module.exports = 'code of others'\n`)
      const { exitCode, errors } = await wrapper.start(`provider=Component, Acme.${name}`, 'a=b').ended
      expect(exitCode).toBe(2)
      expect(errors).toContain('MODULE_NOT_FOUND')
    },
  )
})

/** Puts another file in the place of one. */
async function replace(file: string, content: string): Promise<void> {
  await rm(file)
  await writeFile(file, content, { mode: 0o644 })
}

/** An icon file with one PNG picture. */
function iconOf(picture: Uint8Array): Uint8Array {
  const head = Buffer.alloc(22)
  head.set([0, 0, 1, 0, 1, 0, 32, 32])
  head.writeUInt32LE(picture.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, picture])
}

describe.skipIf(cannotPack !== undefined)('a custom program', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let packed: string
  const picture = neutralPicture()
  const source = (name: string) =>
    JSON.stringify(fileURLToPath(new URL(`../../wrapper-host/src/${name}`, import.meta.url)))
  beforeAll(async () => {
    folder = await temporaryFolder()
    const write = (name: string, content: string | Uint8Array) => writeFile(join(folder.path, name), content)
    await write('acme.ico', iconOf(picture))
    await write('Acme.Journal.mjs', example)
    await write('word.mjs', `export const word = await Promise.resolve('own')\n`)
    // A CommonJS package loads Node's modules, and optional ones, by require.
    await write(
      'old.cjs',
      `exports.name = require('node:path').basename(process.execPath)
       try { exports.optional = require('planted') } catch (error) { exports.optional = error.code }
       const { createRequire } = require('node:module')
       try { exports.found = createRequire(process.execPath)('planted') } catch (error) { exports.found = error.code }\n`,
    )
    await write(
      'own.mjs',
      `import { word } from './word.mjs'
       import old from './old.cjs'
       import { runProgram } from ${source('index.ts')}
       import { findProgram } from ${source('tray/find-program.ts')}
       import { packedIcon } from ${source('window/brand-icon.ts')}
       const argv = process.argv.slice(2)
       if (argv[0] === 'tell') {
         const icon = Buffer.from(packedIcon()).toString('hex')
         const { file } = await findProgram()
         const believes = process.env.NODE_TLS_REJECT_UNAUTHORIZED ?? 'nobody'
         console.log(JSON.stringify({ word, ...old, argv, icon, file, believes }))
       } else {
         const providers = { 'Own.Component, Own': { provide: async () => ({ commands: [] }) } }
         await runProgram({ texts: { trayShow: 'Vis {name}' }, providers })
       }\n`,
    )
    packed = await packForHere(
      await brandFile(folder.path, {
        entry: 'own.mjs',
        icon: 'acme.ico',
        providerModules: ['Acme.Journal.mjs'],
      }),
      folder.path,
    )
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  test('has its imports, its picture and the tray program, without foreign code or trust', async () => {
    // Above the packed folder, where Node itself would find it.
    await mkdir(join(folder.path, 'node_modules'))
    await writeFile(join(folder.path, 'node_modules/planted.js'), `module.exports = 'code of others'\n`)
    const env = {
      ...process.env,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_PATH: join(folder.path, 'node_modules'),
    }
    const { stdout } = await promisify(execFile)(packed, ['tell', 'b', '--env-file=none'], { env })
    expect(JSON.parse(stdout)).toEqual({
      word: 'own',
      name: 'Service.Client.WebWrapper',
      optional: 'MODULE_NOT_FOUND',
      found: 'MODULE_NOT_FOUND',
      argv: ['tell', 'b', '--env-file=none'],
      icon: Buffer.from(picture).toString('hex'),
      file: join(dirname(packed), 'tray/tray_linux_release'),
      believes: 'nobody',
    })
  })

  test.skipIf(!hasBrowser)('is a whole program by runProgram, and loads custom providers', async () => {
    const setting = { ProtocolProvider: 'Acme.Journal.Component, Acme.Journal' }
    await using wrapper = await configuredExecutable(setting, {}, { packed })
    const started = wrapper.start('acme://exercises?text=knee')
    await wrapper.called(calls => calls.length === 1)
    expect(wrapper.calls).toMatchObject([{ name: 'queryExercises' }])
    started.child.kill('SIGTERM')
    expect(await started.ended).toEqual({ exitCode: 0, errors: expect.stringContaining('The wrapper runs.') })
  })

  test('keeps the launcher, and the subcommands know its own parts', async () => {
    const data = await mkdtemp(join(folder.path, 'data-'))
    const env = { ...process.env, XDG_DATA_HOME: data }
    const run = (file: string, ...argv: string[]) =>
      promisify(execFile)(file, argv, { env }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }) => ({ code, stdout }),
      )
    const config = join(dirname(packed), 'Service.Client.WebWrapper.exe.config')
    const packedConfig = await readFile(config, 'utf8')
    const other = packedConfig.replace(/(?<="ProtocolProvider".*\s*<value>)[^<]*/, 'Own.Component, Own')
    await writeFile(config, other)
    const { stdout } = await run(`${packed}.Launch`, 'settings', '--json')
    await writeFile(config, packedConfig)
    const { version, settings } = JSON.parse(stdout)
    expect(version).toBe('3.1.0.0')
    const provider = settings.find(({ name }: { name: string }) => name === 'ProtocolProvider')
    expect(provider).toEqual(expect.objectContaining({ value: 'Own.Component, Own' }))
    expect(provider).not.toHaveProperty('problem')
    expect(await run(packed, 'installer', 'close')).toMatchObject({ code: 0 })
  })
})
