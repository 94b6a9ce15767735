import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { defineBrand } from '@service-link/protocol-core'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeInstaller } from './make-installer.ts'

const brand = defineBrand({ name: 'Acme', vendor: 'Acme Health', displayName: 'Blåbær & "L’Łódź" [1] 診' })
const plan = {
  ...{ brand, version: '3.1.4.15', upgradeCode: '0F3A7D50-0D6A-5C8E-9E43-6C3B0A6E1D11' },
  ...{
    icon: undefined,
    settings: {},
    language: undefined,
    texts: {},
    providerModules: [],
    entry: undefined,
    installFolder: 'roaming' as const,
    browser: undefined,
    sign: undefined,
  },
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'make-installer-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

async function packed(name: string, ...files: readonly string[]): Promise<string> {
  for (const file of files) {
    await mkdir(dirname(join(folder, name, file)), { recursive: true })
    await writeFile(join(folder, name, file), 'x'.repeat(1000))
  }
  return join(folder, name)
}

const needed = [brand.executable, brand.configFile]

// CI must not skip these tests.
const canMake = Boolean(process.env.CI) || (isInstalled('wixl') && isInstalled('msiinfo'))

describe.skipIf(!canMake)('an installer made by wixl and msitools', () => {
  const table = async (msi: string, name: string) => {
    const { stdout } = await promisify(execFile)('msiinfo', ['export', msi, name])
    return stdout
      .split(/\r?\n/)
      .slice(3)
      .filter(Boolean)
      .map(row => row.split('\t'))
  }
  let msi: string
  let output: string
  beforeAll(async () => {
    output = join(folder, 'made')
    msi = await makeInstaller({
      plan,
      folder: await packed('app', ...needed, 'providers/Æ Ł [1] & x.mjs'),
      output,
    })
  })

  test('is named by application and version, with only its source beside it', async () => {
    expect(basename(msi)).toBe('Acme.Client.WebWrapper.3.1.4.15.msi')
    expect((await readdir(output)).sort()).toEqual([basename(msi), basename(msi).replace('.msi', '.wxs')])
  })

  test('has the names unchanged, and declares their encoding', async () => {
    expect(Object.fromEntries(await table(msi, 'Property'))).toMatchObject({
      ...{ ProductName: 'Blåbær & "L’Łódź" [1] 診', Manufacturer: 'Acme Health', ProductVersion: '3.1.4.15' },
      ...{ UpgradeCode: `{${plan.upgradeCode}}` },
    })
    expect((await table(msi, 'File')).map(([, , name]) => name).sort()).toEqual([
      ...[brand.executable, `${brand.configFile}.default`, 'Æ Ł [1] & x.mjs'],
    ])
    expect((await table(msi, 'Registry')).map(([, , key]) => key)).toEqual(Array(4).fill(brand.registryKey))
    expect(
      (await table(msi, 'MsiShortcutProperty')).map(([, shortcut, ...rest]) => [shortcut, ...rest]),
    ).toEqual(
      ['ProgramMenuFolder', 'DesktopFolder'].map(folder => [
        ...[`Shortcut.${folder}`, 'System.AppUserModel.ID', 'AcmeHealth.Acme.Client.WebWrapper'],
      ]),
    )
    const shown = await promisify(execFile)('msiinfo', ['suminfo', msi])
    expect(shown.stdout).toContain(`Subject: ${brand.displayName} 3.1.4.15\nAuthor: Acme Health\n`)
    const { stdout } = await promisify(execFile)('msiinfo', ['export', msi, '_ForceCodepage'])
    expect(stdout).toContain('65001')
  })

  test('needs no administrator rights, and is for one user unless told otherwise', async () => {
    const { stdout } = await promisify(execFile)('msiinfo', ['suminfo', msi])
    // Bit 3: no elevation.
    expect(stdout).toMatch(/Source: 10 /)
    expect(Object.fromEntries(await table(msi, 'Property'))).not.toHaveProperty('ALLUSERS')
    // The root of the installation's context.
    expect((await table(msi, 'Registry')).map(([, root]) => root)).toEqual(Array(4).fill('-1'))
  })

  test('resumes at a rollback and at an end before it', async () => {
    const rollback = 0x100 | 0x400
    const types = new Map((await table(msi, 'CustomAction')).map(([id, type]) => [id, Number(type)]))
    const ofRollback = [...types].filter(([, type]) => (type & rollback) === rollback).map(([id]) => id)
    expect(ofRollback.sort()).toEqual(['RollBackEverywhere', 'RollBackWrapper'])
    // Without the user's identity, as the action that it undoes.
    expect(types.get('RollBackEverywhere')).toBe((types.get('SuspendEverywhere') ?? 0) | rollback)
    const ends = (await table(msi, 'InstallExecuteSequence')).filter(([, , place]) => Number(place) < 0)
    expect(ends.map(([id, , place]) => [id, place]).sort()).toEqual([
      ['ResumeAfter.cancel', '-2'],
      ['ResumeAfter.error', '-3'],
    ])
  })

  test('is the same, byte by byte, from the same content in another folder and at another time', async () => {
    const files = [...needed, 'providers/Æ Ł [1] & x.mjs']
    vi.stubEnv('TZ', 'Asia/Tokyo')
    onTestFinished(() => void vi.unstubAllEnvs())
    const again = await makeInstaller({
      plan,
      folder: await packed('again', ...files),
      output: join(folder, 'again-made'),
    })
    expect((await readFile(again)).equals(await readFile(msi))).toBe(true)
    const code = async (file: string) =>
      /UUID.*/.exec((await promisify(execFile)('msiinfo', ['suminfo', file])).stdout)?.[0]
    await writeFile(join(folder, 'again', 'providers', 'more.mjs'), '')
    const other = await makeInstaller({
      plan,
      folder: join(folder, 'again'),
      output: join(folder, 'again-made'),
    })
    expect(await code(other)).not.toBe(await code(msi))
  })

  test('leaves no partial file when aborted', async () => {
    const signal = AbortSignal.abort(new Error('given up'))
    const target = join(folder, 'aborted')
    await expect(
      makeInstaller({ plan, folder: join(folder, 'app'), output: target, signal }),
    ).rejects.toThrow('given up')
    expect((await readdir(target)).filter(name => !name.endsWith('.wxs'))).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('the program that makes an installer', () => {
  const output = () => join(folder, 'tools')
  async function withTools(programs: Readonly<Record<string, string>>): Promise<unknown> {
    const path = await mkdtemp(join(folder, 'path-'))
    for (const [name, script] of Object.entries(programs))
      await writeFile(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const app = await packed('tools-app', ...needed)
    vi.stubEnv('PATH', path)
    onTestFinished(() => void vi.unstubAllEnvs())
    return makeInstaller({ plan, folder: app, output: output() }).catch(error => error)
  }

  test('may print the name of its source, as candle always does', async () => {
    // Its last but one argument is the output file.
    const light = 'while [ $# -gt 2 ]; do shift; done; : > "$1"'
    const made = await withTools({ candle: 'echo installer.wxs', light })
    expect(made).toBe(join(output(), 'Acme.Client.WebWrapper.3.1.4.15.msi'))
    await rm(String(made))
  })

  test('may be missing: the message says what to install', async () => {
    expect(await withTools({})).toMatchObject({
      ...{ code: 'ERR_PACK' },
      message: expect.stringMatching(/Install wixl and msitools .* WiX Toolset 3/),
    })
  })

  test.each([
    ['warns', { wixl: 'echo an attribute is ignored >&2' }, 'an attribute is ignored'],
    ['fails', { wixl: 'exit 3' }, 'wixl ended with 3'],
    ['crashes', { wixl: 'kill -SEGV $$' }, 'wixl crashed'],
    ['lacks its companion', { wixl: 'exit 0' }, 'Install wixl and msitools'],
    ['warns by its exit code', { candle: 'echo a.wxs', light: 'echo LGHT1 >&2; exit 1' }, 'LGHT1'],
    ['has no second part', { candle: 'echo a.wxs' }, 'Install wixl and msitools'],
  ])('makes none when it %s', async (_title, programs, sentence) => {
    expect(await withTools(programs)).toMatchObject({
      ...{ code: 'ERR_PACK', message: expect.stringContaining(sentence) },
    })
    expect((await readdir(output())).filter(name => !name.endsWith('.wxs'))).toEqual([])
  })
})
