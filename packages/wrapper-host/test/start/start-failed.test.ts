import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { hasDisplay, startDisplay, type TestDisplay } from '@service-link/test-kit/display'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { canMount, runMounted } from '@service-link/test-kit/private-mount'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import {
  type ExecutableOptions,
  startExecutable,
  wrapperExecutable,
} from '@service-link/test-kit/wrapper-executable'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { texts as english } from '../../src/texts/en.ts'
import { texts as swedish } from '../../src/texts/sv.ts'
import { fillText } from '../../src/texts/wrapper-texts.ts'
import { canMakeUsers, sharedNode, unixUser } from '../support/unix-user.ts'

const waiting = { timeout: 30_000, interval: 20 }

/** Programs that show a message box on desktops. The test replaces each. */
const boxPrograms = ['zenity', 'xmessage']

/** Programs that record their arguments, one file each, and stay until the end of the scope. */
async function recordedBoxes(name: string) {
  const folder = await temporaryFolder()
  const records = join(folder.path, 'records')
  await mkdir(records)
  const script = `#!/bin/sh\nprintf '%s\\0' "$@" > '${folder.path}'/part\nmv '${folder.path}'/part '${records}'/$$\nexec sleep 600\n`
  await writeFile(join(folder.path, name), script, { mode: 0o755 })
  return {
    PATH: `${folder.path}:${process.env.PATH}`,
    /** Waits for a box. Returns the arguments of all boxes, with each white space as a blank. */
    async shown(): Promise<readonly (readonly string[])[]> {
      await vi.waitFor(async () => expect((await readdir(records)).length).toBeGreaterThan(0), waiting)
      const files = await readdir(records)
      const texts = await Promise.all(files.map(file => readFile(join(records, file), 'utf8')))
      return texts.map(text => text.replaceAll(/\s+/g, ' ').split('\0').slice(0, -1))
    },
    async [Symbol.asyncDispose]() {
      for (const pid of await readdir(records)) process.kill(Number(pid))
      await folder[Symbol.asyncDispose]()
    },
  }
}

const logOf = (data: string) => join(data, 'logs', 'wrapper.log')

async function lastEvent(data: string): Promise<unknown> {
  const lines = (await readFile(logOf(data), 'utf8')).trimEnd().split('\n')
  return JSON.parse(lines.at(-1) ?? '')
}

/** The per-user folder of the executable. */
const dataOf = (wrapper: { readonly folder: string }) => join(wrapper.folder, 'data')

describe.skipIf(!hasDisplay)('a failing start', () => {
  let display: TestDisplay
  beforeAll(async () => {
    display = await startDisplay()
  })
  afterAll(() => display?.[Symbol.asyncDispose]())

  const withScreen = (variables: NodeJS.ProcessEnv): ExecutableOptions => ({
    engine: 'EoWebBrowser',
    environment: { ...display.environment, ...variables },
  })

  test.each(boxPrograms)(
    'without a browser: a log line and a box of %s in the user’s language, without a wait',
    async name => {
      await using boxes = await recordedBoxes(name)
      const LC_ALL = 'sv_SE.UTF-8'
      const options = withScreen({ PATH: boxes.PATH, SERVICE_BROWSER: '/nonexistent', LC_ALL })
      await using wrapper = await wrapperExecutable(options)
      const { exitCode, errors } = await wrapper.start().ended
      expect({ exitCode, errors }).toEqual({ exitCode: 2, errors: expect.stringContaining('(ERR_ENGINE)') })
      const known = { level: 'error', pid: expect.any(Number), time: expect.any(String) }
      const failure = { event: 'start-failed', code: 'ERR_ENGINE', reason: 'not-available' }
      expect(await lastEvent(dataOf(wrapper))).toEqual({ ...known, ...failure })
      const [box, ...others] = await boxes.shown()
      const advice = swedish.startFailedLastingAdvice
      // The box has no address.
      const [sentence] = errors.split('\n')
      const text = `${advice} ${sentence} Loggen: ${logOf(dataOf(wrapper))}`
      expect(box?.map(argument => argument.replace(/^--text=/, ''))).toContain(text)
      expect(others).toEqual([])
    },
  )

  test('shows no box to a waiting program, without a screen, or without a window', async () => {
    await using boxes = await recordedBoxes('xmessage')
    const variables = { PATH: boxes.PATH, SERVICE_BROWSER: '/nonexistent' }
    await using wrapper = await wrapperExecutable(withScreen(variables))
    const noScreen = { ...wrapper.command().environment, DISPLAY: '', WAYLAND_DISPLAY: '' }
    await using headless = await wrapperExecutable({ ...withScreen(variables), engine: 'Headless' })
    const { file, argv } = wrapper.command()
    const silent = [
      wrapper.start('wait=true').ended,
      startExecutable(file, argv, { env: noScreen }).ended,
      headless.start().ended,
    ]
    for (const ended of silent) expect(await ended).toMatchObject({ exitCode: 2 })
    // Boxes of the earlier starts would come first.
    await wrapper.start().ended
    expect(await boxes.shown()).toHaveLength(1)
  })

  test('a window that was lost too often: one box, and exit code 1', async () => {
    await using boxes = await recordedBoxes('xmessage')
    await using wrapper = await wrapperExecutable(withScreen({ PATH: boxes.PATH }))
    const { ended, isWrapper } = wrapper.start()
    await isWrapper
    let hasEnded = false
    void ended.then(() => {
      hasEnded = true
    })
    while (!hasEnded) {
      const found = spawnSync('pgrep', ['-f', '--', `--user-data-dir=${dataOf(wrapper)}/`], {
        encoding: 'utf8',
      })
      spawnSync('kill', ['-KILL', ...found.stdout.split('\n').filter(Boolean)])
      await new Promise(setImmediate)
    }
    expect(await ended).toMatchObject({ exitCode: 1, errors: expect.stringContaining('(ERR_ENGINE)') })
    const [box = [], ...others] = await boxes.shown()
    expect(box).toContain(fillText(english.lostAdvice, { name: defaultBrand.displayName }))
    expect(others).toEqual([])
  })

  test.skipIf(!isInstalled('xmessage') && process.env.CI !== 'true')('is visible on the screen', async () => {
    const environment = { ...display.environment, SERVICE_BROWSER: '/nonexistent', LC_ALL: 'C' }
    await using folder = await temporaryFolder()
    const xmessage = execFileSync('which', ['xmessage'], { encoding: 'utf8' }).trim()
    // This desktop may use another program.
    execFileSync('ln', ['-s', xmessage, join(folder.path, basename(xmessage))])
    await using wrapper = await wrapperExecutable({
      engine: 'EoWebBrowser',
      environment: { ...environment, PATH: folder.path },
    })
    const { errors } = await wrapper.start().ended
    const title = `${defaultBrand.displayName} did not start`
    const found = await display.xdotool('search', '--sync', '--onlyvisible', '--name', title)
    const [window = ''] = found.split('\n')
    expect(errors).toContain('SERVICE_BROWSER')
    await display.xdotool('windowkill', window)
  })
})

test.skipIf(process.platform === 'win32')(
  'tells the true reason first, before launches that fail by it',
  async () => {
    await using folder = await temporaryFolder()
    const browser = join(folder.path, 'chromium')
    const script = '#!/bin/sh\n[ "$1" = --version ] && echo Chromium 156.0.0.0 && exit\nexit 3\n'
    await writeFile(browser, script, { mode: 0o755 })
    await using wrapper = await wrapperExecutable({ environment: { SERVICE_BROWSER: browser } })
    const { exitCode, errors } = await wrapper.start(
      `provider=${defaultBrand.providers.arguments}`,
      'openworkout=5',
    ).ended
    expect(exitCode).toBe(2)
    expect(errors).toMatch(/^[^\n]*\(ERR_ENGINE\)\nhttps:\S+\n$/)
    const lines = (await readFile(logOf(dataOf(wrapper)), 'utf8')).trimEnd().split('\n')
    const events = lines.map(line => JSON.parse(line)).filter(({ code }) => code !== undefined)
    expect(events).toMatchObject([
      { event: 'start-failed', code: 'ERR_ENGINE' },
      { event: 'launch-failed', code: 'ERR_CLOSING' },
    ])
  },
)

describe.skipIf(!canMount)('a per-user folder in a separate mount', () => {
  test.each([
    ['is full', 'mount -t tmpfs -o size=16k,mode=700 t "$1"; cat /dev/zero > "$1/x" || true', 'is full'],
    ['is read-only', 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"', 'may not write'],
  ])('that %s is named with a remedy by start and doctor', async (_, prepare, sentence) => {
    await using wrapper = await wrapperExecutable()
    const data = dataOf(wrapper)
    await mkdir(data, { mode: 0o700 })
    const run = (...args: string[]) => {
      const { file, argv, environment } = wrapper.command(...args)
      return runMounted({ prepare, folder: data }, file, argv, environment)
    }
    const { exitCode, errors } = await run()
    expect(exitCode).toBe(2)
    expect(errors).toMatch(new RegExp(`${sentence}.*SERVICE_WRAPPER_DATA.*\\(ERR_USER_FOLDER\\)`))
    expect(errors).toContain(`The log ${logOf(data)} cannot be written (E`)
    expect(JSON.parse((await run('doctor', '--json')).output)).toContainEqual({
      check: 'user-folder',
      status: 'problem',
      sentence: expect.stringContaining(sentence),
      remedy: expect.stringContaining('SERVICE_WRAPPER_DATA'),
    })
  })
})

describe.skipIf(!canMakeUsers)('a folder that its user may not write to is named, with the remedy', () => {
  test.each([
    ['the per-user folder', '.', /may not write.*\(ERR_USER_FOLDER\)/],
    [
      'that of the browser',
      'browser',
      /profile cannot be made .*data\/browser \(EACCES\)\. Make sure .*\(ERR_ENGINE\)/,
    ],
  ])('%s', async (_, name, sentence) => {
    await using node = await sharedNode()
    await using wrapper = await wrapperExecutable({ node: node.file })
    await chmod(wrapper.folder, 0o755)
    await using user = await unixUser()
    const data = join(user.home, 'data')
    await mkdir(join(data, 'browser'), { recursive: true })
    // As a start with administrator rights leaves it.
    await writeFile(join(data, 'browser', 'Local State'), '{}')
    await chown(data, user.uid, user.gid)
    await chmod(join(data, name), 0o500)
    const { file, argv } = wrapper.command()
    const { ended } = startExecutable(file, argv, {
      uid: user.uid,
      gid: user.gid,
      cwd: user.home,
      env: {
        PATH: process.env.PATH,
        HOME: user.home,
        SERVICE_WRAPPER_ROOT: wrapper.root,
        SERVICE_WRAPPER_DATA: data,
      },
    })
    const { exitCode, errors } = await ended
    expect(exitCode).toBe(2)
    expect(errors).toMatch(sentence)
  })
})
