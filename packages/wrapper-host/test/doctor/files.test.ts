import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doctorPlace } from '../support/doctor.ts'

const isWindows = process.platform === 'win32'

describe('application-root', () => {
  test('with a configuration file passes', async () => {
    await using place = await doctorPlace()
    await place.configure({})
    expect(await place.find('application-root')).toMatchObject({ status: 'ok' })
  })

  test('without a folder', async () => {
    await using place = await doctorPlace()
    await rm(place.applicationRoot, { recursive: true })
    const remedy = expect.stringContaining('SERVICE_WRAPPER_ROOT')
    expect(await place.find('application-root')).toMatchObject({ status: 'problem', remedy })
  })

  test('without a configuration file names the expected file', async () => {
    await using place = await doctorPlace()
    const remedy = expect.stringContaining(place.configFile)
    expect(await place.find('application-root')).toMatchObject({ status: 'warning', remedy })
  })

  test('with a damaged configuration file names line and column', async () => {
    await using place = await doctorPlace()
    await writeFile(place.configFile, '<configuration>\n<applicationSettings></configuration>')
    const sentence = expect.stringContaining('line 2')
    expect(await place.find('application-root')).toMatchObject({ status: 'problem', sentence })
    for (const name of ['settings', 'service', 'update-site'])
      expect(await place.find(name)).toMatchObject({ status: 'skipped' })
  })

  test.skipIf(isWindows).each([
    ['folder', 0o777],
    ['folder', 0o775],
    ['file', 0o666],
    ['file', 0o664],
  ] as const)('whose %s is writable by others (%i)', async (which, mode) => {
    await using place = await doctorPlace()
    await place.configure({})
    await chmod(which === 'folder' ? place.applicationRoot : place.configFile, mode)
    expect(await place.find('application-root')).toMatchObject({
      status: 'warning',
      sentence: `${which === 'folder' ? place.applicationRoot : place.configFile} may be changed by other users (chmod go-w).`,
    })
  })
})

describe('user-folder', () => {
  test('is not created when missing', async () => {
    await using place = await doctorPlace()
    expect(await place.find('user-folder')).toMatchObject({ status: 'ok' })
    expect(await place.find('user-folder')).toMatchObject({
      sentence: expect.stringContaining('not there yet'),
    })
  })

  test.skipIf(isWindows).each([
    ['is closed', 0o700, 'ok'],
    ['can be entered by others', 0o755, 'warning'],
  ] as const)('that %s', async (_, mode, status) => {
    await using place = await doctorPlace()
    await mkdir(place.userFolder)
    await chmod(place.userFolder, mode)
    expect(await place.find('user-folder')).toMatchObject({ status })
  })

  test('that is a file', async () => {
    await using place = await doctorPlace()
    await writeFile(place.userFolder, '')
    expect(await place.find('user-folder')).toMatchObject({ status: 'problem' })
  })
})

describe('settings', () => {
  test('that are valid', async () => {
    await using place = await doctorPlace()
    await place.configure({ AppUrl: 'https://app.example/' })
    await place.configureUser({ Zoom: '1.5' })
    expect(await place.find('settings')).toMatchObject({ status: 'ok' })
  })

  test('that prevent a start', async () => {
    await using place = await doctorPlace()
    await place.configure({ MinimizeOnExit: 'perhaps' })
    const sentence = expect.stringContaining('MinimizeOnExit')
    expect(await place.find('settings')).toMatchObject({ status: 'problem', sentence })
  })

  test('of the user without effect', async () => {
    await using place = await doctorPlace()
    await place.configureUser({ AppUrl: 'https://elsewhere.example/secret' })
    const found = await place.find('settings')
    expect(found).toMatchObject({ status: 'warning', sentence: expect.stringContaining('AppUrl') })
    expect(found?.sentence).not.toContain('secret')
  })

  test('of the user in a damaged file, which stays', async () => {
    await using place = await doctorPlace()
    await place.configureUser({})
    await writeFile(place.userConfig, '<configuration>')
    for (const _ of ['once', 'again'])
      expect(await place.find('settings')).toMatchObject({ status: 'warning' })
  })
})

describe('providers', () => {
  const put = async (folder: string, name: string, text: string) => {
    await mkdir(join(folder, 'providers'), { recursive: true })
    await writeFile(join(folder, 'providers', name), text)
  }

  test('are named, and none is loaded', async () => {
    await using place = await doctorPlace()
    await place.configure({ ProtocolProvider: 'Acme.Journal.Component, Acme.Journal' })
    await put(place.applicationRoot, 'Acme.Journal.mjs', 'throw new Error("loaded")')
    const sentence = expect.stringContaining('Acme.Journal.mjs')
    expect(await place.find('providers')).toMatchObject({ status: 'ok', sentence })
  })

  test('must include the configured one', async () => {
    await using place = await doctorPlace()
    await place.configure({ ProtocolProvider: 'Acme.Journal.Component, Acme.Journal' })
    expect(await place.find('providers')).toMatchObject({ status: 'problem' })
  })

  test.skipIf(isWindows)('that others may change are refused', async () => {
    await using place = await doctorPlace()
    await put(place.applicationRoot, 'Acme.Journal.mjs', '')
    await chmod(join(place.applicationRoot, 'providers', 'Acme.Journal.mjs'), 0o666)
    const sentence = expect.stringContaining('changed by other users')
    expect(await place.find('providers')).toMatchObject({ status: 'problem', sentence })
  })
})

describe('log', () => {
  const write = async (folder: string, lines: readonly unknown[]) => {
    await mkdir(join(folder, 'logs'), { recursive: true })
    const text = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
    await writeFile(join(folder, 'logs', 'wrapper.log'), text)
  }
  const now = () => new Date().toISOString()

  test('that is missing, and one without errors', async () => {
    await using place = await doctorPlace()
    expect(await place.find('log')).toMatchObject({ status: 'ok' })
    await write(place.userFolder, [{ level: 'info', time: now(), event: 'started' }, 'half a li'])
    expect(await place.find('log')).toMatchObject({
      status: 'ok',
      sentence: expect.stringContaining('no error'),
    })
  })

  test.each([
    ['of now', now(), 'warning', `page-crashed at`],
    ['of long ago', '2020-01-01T00:00:00.000Z', 'ok', 'no error within a day'],
  ])('with an error %s', async (_, time, status, told) => {
    await using place = await doctorPlace()
    await write(place.userFolder, [
      'x'.repeat(300_000),
      { level: 'error', time, event: 'page-crashed' },
      { level: 'info', time: now(), event: 'page-restarted' },
    ])
    const sentence = expect.stringContaining(told)
    expect(await place.find('log')).toMatchObject({ status, sentence })
  })

  test.each([
    ['ERR_ENGINE', 'profile-unusable'],
    ['ERR_CONFIG_FILE', undefined],
  ])('with a start that failed with %s, %s', async (code, reason) => {
    await using place = await doctorPlace()
    const time = now()
    await write(place.userFolder, [{ level: 'error', time, event: 'start-failed', code, reason }])
    const what = reason === undefined ? code : `${code}, ${reason}`
    expect(await place.find('log')).toMatchObject({
      status: 'warning',
      sentence: expect.stringContaining(`the start at ${time} failed (${what})`),
      remedy: expect.stringContaining('from a terminal'),
    })
  })

  test.each(['pipe-taken', 'hand-off-taken'])('with the incident %s, after any other lines', async event => {
    await using place = await doctorPlace()
    const time = now()
    const lines = [
      { level: 'error', time, event },
      { level: 'error', time: now(), event: 'page-crashed' },
    ]
    await write(place.userFolder, lines)
    expect(await place.find('log')).toMatchObject({
      status: 'problem',
      sentence: expect.stringContaining(`incident: ${event} at ${time}`),
      remedy: expect.stringContaining('Report it'),
    })
  })

  test.each([
    ['in the file before the newest', 'wrapper.1.log', []],
    ['far from the end of a long file', 'wrapper.log', Array.from({ length: 8 }, () => 'x'.repeat(120_000))],
  ])('with an incident %s', async (_, name, later) => {
    await using place = await doctorPlace()
    await write(place.userFolder, [{ level: 'info', time: now(), event: 'started' }])
    const incident = JSON.stringify({ level: 'error', time: now(), event: 'pipe-taken' })
    await writeFile(join(place.userFolder, 'logs', name), `${[incident, ...later].join('\n')}\n`)
    const sentence = expect.stringContaining('incident: pipe-taken')
    expect(await place.find('log')).toMatchObject({ status: 'problem', sentence })
  })

  test('that is switched off', async () => {
    await using place = await doctorPlace()
    await place.configure({ LogLevel: 'off' })
    expect(await place.find('log')).toMatchObject({ sentence: expect.stringContaining('off') })
  })
})
