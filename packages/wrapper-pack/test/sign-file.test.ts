import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { selfSigned } from '@service-link/test-kit/self-signed'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { NtExecutable, NtExecutableResource } from 'resedit'
import { describe, expect, test, vi } from 'vitest'
import { readBrandFile } from '../src/brand/read-brand-file.ts'
import { makeInstaller } from '../src/msi/make-installer.ts'
import type { SignTool } from '../src/pack-plan.ts'
import { signFile, signPrograms } from '../src/sign-file.ts'
import { signatureProblem } from '../src/signature.ts'
import { brandFile } from './support/pack.ts'

/** CI must run these tests: the programs are installed there. Windows uses others. */
const lacks = (...programs: string[]) => {
  if (process.platform === 'win32') return true
  const missing = programs.filter(program => !isInstalled(program))
  if (missing.length === 0 || process.env.CI) return false
  console.error(`Signing is not tested: there is no ${missing.join(', ')}.`)
  return true
}

/** An empty Windows executable, in a folder with a new certificate. */
async function unsigned() {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'Acme.exe')
  const executable = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(executable)
  resources.entries.push({ type: 10, id: 'DATA', lang: 0, codepage: 0, bin: new ArrayBuffer(64) })
  resources.outputResource(executable)
  await writeFile(file, Buffer.from(executable.generate()))
  return { folder: folder.path, file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

/** The program that signs with a self-signed certificate. Its script and inputs are relative to the folder. */
async function signing(folder: string): Promise<SignTool> {
  const made = selfSigned('acme.example')
  await writeFile(join(folder, 'key.pem'), made.key)
  await writeFile(join(folder, 'acme.pem'), made.cert)
  const script = `#!/bin/sh -e
osslsigncode sign -certs acme.pem -key key.pem -in "$1" -out "$1.signed"
mv "$1.signed" "$1"\n`
  await writeFile(join(folder, 'sign.sh'), script, { mode: 0o755 })
  return { argv: ['./sign.sh', '{file}'], folder }
}

describe.skipIf(lacks('osslsigncode'))('signFile', () => {
  test('signs all programs below a folder, whatever their names, and leaves signed ones and other files', async () => {
    await using made = await unsigned()
    const tool = await signing(made.folder)
    const packed = join(made.folder, 'packed')
    await mkdir(join(packed, 'browser'), { recursive: true })
    const program = await readFile(made.file)
    const files = ['Acme.exe', 'browser/chrome.dll', 'browser/odd.bin'].map(name => join(packed, name))
    for (const file of files) await writeFile(file, program)
    await writeFile(join(packed, 'readme.txt'), 'MIT')
    expect(await Promise.all(files.map(signatureProblem))).toEqual(files.map(() => 'it has no signature'))
    const told: string[] = []
    const sign = () => signPrograms({ folder: packed, tool, onProgress: sentence => told.push(sentence) })
    await sign()
    expect(await Promise.all(files.map(signatureProblem))).toEqual(files.map(() => undefined))
    expect((await readFile(files[0] ?? '')).includes('acme.example')).toBe(true)
    await sign()
    expect(told).toEqual(['Acme.exe', 'chrome.dll', 'odd.bin'].map(name => `Signing ${name} …`))
    expect(await readFile(join(packed, 'readme.txt'), 'utf8')).toBe('MIT')
  })

  test('takes no signature of another content', async () => {
    await using made = await unsigned()
    await signFile(made.file, await signing(made.folder))
    const changed = await readFile(made.file)
    changed.writeUInt8(changed.readUInt8(0x200) ^ 1, 0x200)
    await writeFile(made.file, changed)
    expect(await signatureProblem(made.file)).toBe('its signature is that of another file, or by SHA-1')
  })

  test.skipIf(lacks('wixl', 'msibuild'))('signs an installer', async () => {
    await using folder = await temporaryFolder()
    const plan = await readBrandFile(await brandFile(folder.path, { name: 'Acme' }))
    const packed = join(folder.path, 'packed')
    await mkdir(packed)
    for (const name of [plan.brand.executable, plan.brand.configFile])
      await writeFile(join(packed, name), name)
    const installer = await makeInstaller({ plan, folder: packed, output: join(folder.path, 'output') })
    expect(await signatureProblem(installer)).toBe('it has no signature')
    await signFile(installer, await signing(folder.path))
    expect(await signatureProblem(installer)).toBeUndefined()
  })
})

describe.skipIf(process.platform === 'win32')('a signing program', () => {
  const failing = (script: string, ...args: string[]) => ({
    argv: ['/bin/sh', '-c', script, 'sh', '{file}', ...args],
    folder: '/',
  })

  test('that fails is reported by its output, without its arguments', async () => {
    await using made = await unsigned()
    const tool = failing('echo "Wrong password: $2" >&2; echo Sorry; exit 3', 'hunter2-secret')
    const error = await signFile(made.file, tool).catch(reason => reason)
    expect(error).toMatchObject({ code: 'ERR_PACK' })
    expect(error.message).toContain('Acme.exe could not be signed: the signing program ended with 3.')
    expect(error.message).toContain('Wrong password: …')
    expect(error.message).toContain('Sorry')
    expect(error.message).not.toContain('hunter2')
  })

  test('that does not sign is an error', async () => {
    await using made = await unsigned()
    await expect(signFile(made.file, failing('exit 0'))).rejects.toThrow('it has no signature')
  })

  test('that is missing is named as the reason', async () => {
    await using made = await unsigned()
    const tool = { argv: ['./none', '{file}'], folder: made.folder }
    await expect(signFile(made.file, tool)).rejects.toThrow('could not be started (ENOENT)')
  })

  test('ends when packing is aborted, even if its child continues', async () => {
    await using made = await unsigned()
    const pidFile = join(made.folder, 'pid')
    const ending = new AbortController()
    const tool = failing('sleep 600 & echo $! > "$2.new"; mv "$2.new" "$2"; wait', pidFile)
    const signed = signFile(made.file, tool, ending.signal)
    signed.catch(() => undefined)
    const pid = await vi.waitFor(async () => Number(await readFile(pidFile, 'utf8')), { timeout: 60_000 })
    ending.abort()
    await expect(signed).rejects.toMatchObject({ name: 'AbortError' })
    process.kill(pid)
  })

  test('gets the file’s name unchanged, without a shell', async () => {
    await using made = await unsigned()
    const odd = join(made.folder, "a $(touch owned) 'b' $& .exe")
    await writeFile(odd, await readFile(made.file))
    const tool = failing('printf %s "$1" > "$2"', join(made.folder, 'got'))
    await expect(signFile(odd, tool)).rejects.toThrow('it has no signature')
    expect(await readFile(join(made.folder, 'got'), 'utf8')).toBe(odd)
  })
})
