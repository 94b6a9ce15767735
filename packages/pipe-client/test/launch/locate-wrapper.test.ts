import { execFileSync } from 'node:child_process'
import { chmod, chown, link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defineBrand } from '@service-link/protocol-core/brand'
import { describe, expect, test } from 'vitest'
import { locateWrapper } from '../../src/index.ts'
import { type InstalledProgram, installedProgram } from '../support/installed-program.ts'

const someoneElse = 12_345
const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('Files of other users are not made in tests: this user is not root.')

describe.skipIf(process.platform === 'win32')('locateWrapper', () => {
  test('[4.2-path] reads the wrapper’s record each time', async () => {
    await using program = await installedProgram()
    const { environment, executable, folder } = program
    const found = { path: dirname(executable), version: '3.0.0.0', command: [executable] }
    expect(await locateWrapper({ environment })).toEqual(found)
    const next = join(folder, 'wrapper 4')
    await rename(dirname(executable), next)
    const command = [join(next, 'wrapper'), '--use-system-ca', join(next, 'wrapper')]
    await program.note(JSON.stringify({ path: next, version: '4.0.0.0', command }))
    expect(await locateWrapper({ environment })).toEqual({ path: next, version: '4.0.0.0', command })
  })

  test('looks where `SERVICE_WRAPPER_DATA` says', async () => {
    await using program = await installedProgram()
    const environment = { SERVICE_WRAPPER_DATA: dirname(program.installFile) }
    expect(await locateWrapper({ environment })).toMatchObject({ command: [program.executable] })
  })

  test('does not find a wrapper of another brand', async () => {
    await using program = await installedProgram()
    const { environment } = program
    await expect(locateWrapper({ brand: defineBrand({ name: 'Acme' }), environment })).rejects.toMatchObject({
      code: 'ERR_PIPE_NOT_INSTALLED',
      message: expect.stringContaining('has never been started'),
    })
  })

  test.each<[string, (program: InstalledProgram) => Promise<unknown>, string]>([
    ['it was never started', ({ installFile }) => rm(installFile), 'never been started'],
    ['a file lies where its folder belongs', replaceFolder, 'never been started'],
    ['it was removed', ({ executable }) => rm(dirname(executable), { recursive: true }), 'no longer in'],
    ['its script was removed', noteScript, 'no longer in'],
    ['its command is not absolute', noteRelative, 'no longer in'],
    ['what it noted is damaged', program => program.note('{"path":'), 'does not say'],
    ['what it noted is empty', program => program.note(''), 'does not say'],
    ['what it noted is endless', program => program.note(' '.repeat(300_000)), 'does not say'],
  ])('reports no installation when %s', async (_title, change, words) => {
    await using program = await installedProgram()
    await change(program)
    await expect(locateWrapper({ environment: program.environment })).rejects.toMatchObject({
      code: 'ERR_PIPE_NOT_INSTALLED',
      message: expect.stringContaining(words),
      shouldRetry: false,
    })
  })

  test.each<[string, (program: InstalledProgram) => Promise<unknown>, string]>([
    ['others may write the file', ({ installFile }) => chmod(installFile, 0o602), 'may be changed'],
    ['a group may write the file', ({ installFile }) => chmod(installFile, 0o660), 'may be changed'],
    ['the file is a link', replaceByLink, 'it is a link'],
    ['the file is a folder', replaceByFolder, 'is not a file'],
    ['the file is a pipe', replaceByPipe, 'is not a file'],
    ['others may write the program', ({ executable }) => chmod(executable, 0o757), 'is not started'],
    ['others may write its folder', ({ executable }) => chmod(dirname(executable), 0o777), 'nothing in it'],
    ['others may write a folder above', ({ folder }) => chmod(folder, 0o777), 'nothing in it'],
    ['others may write where a link to it lies', linkFromOpenFolder, 'nothing in it'],
  ])('refuses the installation when %s', async (_title, change, words) => {
    await using program = await installedProgram()
    await change(program)
    await expect(locateWrapper({ environment: program.environment })).rejects.toMatchObject({
      code: 'ERR_PIPE_DENIED',
      message: expect.stringContaining(words),
    })
  })

  test.runIf(isRoot).each<[string, (program: InstalledProgram) => string]>([
    ['the program', ({ executable }) => executable],
    ['its folder', ({ executable }) => dirname(executable)],
    ['a folder above', ({ folder }) => folder],
  ])('refuses it when a group with other members may write %s', async (_title, part) => {
    await using program = await installedProgram()
    const path = part(program)
    await chown(path, 0, someoneElse)
    await chmod(path, 0o775)
    await expect(locateWrapper({ environment: program.environment })).rejects.toMatchObject({
      code: 'ERR_PIPE_DENIED',
      message: expect.stringMatching(/may be changed by a group, and .*is.* started/),
    })
  })

  test.runIf(isRoot)('accepts files writable by the administrators’ group', async () => {
    await using program = await installedProgram()
    for (const path of [program.executable, dirname(program.executable)]) {
      await chown(path, 0, 0)
      await chmod(path, 0o775)
    }
    expect(await locateWrapper({ environment: program.environment })).toMatchObject({ version: '3.0.0.0' })
  })

  test.runIf(isRoot).each<[string, (program: InstalledProgram) => string]>([
    ['the file', ({ installFile }) => installFile],
    ['the program', ({ executable }) => executable],
    ['its folder', ({ executable }) => dirname(executable)],
  ])('refuses it when %s belongs to another user', async (_title, part) => {
    await using program = await installedProgram()
    await chown(part(program), someoneElse, someoneElse)
    await expect(locateWrapper({ environment: program.environment })).rejects.toMatchObject({
      code: 'ERR_PIPE_DENIED',
      message: expect.stringContaining('belongs to another user'),
    })
  })

  test('accepts a program below the shared folder of temporary files', async () => {
    await using program = await installedProgram()
    await chmod(program.folder, 0o1777)
    expect(await locateWrapper({ environment: program.environment })).toMatchObject({ version: '3.0.0.0' })
  })
})

async function replaceFolder({ installFile }: InstalledProgram) {
  await rm(dirname(installFile), { recursive: true })
  await writeFile(dirname(installFile), '')
}

async function noteScript({ executable, note }: InstalledProgram) {
  const command = [executable, '--conditions=a', join(dirname(executable), 'cli.js')]
  await note(JSON.stringify({ path: dirname(executable), version: '3.0.0.0', command }))
}

async function noteRelative({ executable, note }: InstalledProgram) {
  await note(JSON.stringify({ path: dirname(executable), version: '3.0.0.0', command: ['node', executable] }))
}

async function replaceByLink({ folder, installFile }: InstalledProgram) {
  await link(installFile, join(folder, 'other.json'))
  await rm(installFile)
  await symlink(join(folder, 'other.json'), installFile)
}

async function replaceByFolder({ installFile }: InstalledProgram) {
  await rm(installFile)
  await mkdir(installFile)
}

async function replaceByPipe({ installFile }: InstalledProgram) {
  await rm(installFile)
  execFileSync('mkfifo', ['-m', '600', installFile])
}

async function linkFromOpenFolder({ folder, executable, note }: InstalledProgram) {
  const open = join(folder, 'open')
  await mkdir(open)
  await chmod(open, 0o777)
  await symlink(executable, join(open, 'wrapper'))
  await note(JSON.stringify({ path: open, version: '3.0.0.0', command: [join(open, 'wrapper')] }))
}
