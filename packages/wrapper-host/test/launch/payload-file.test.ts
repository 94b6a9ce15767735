import { execFileSync } from 'node:child_process'
import { access, chmod, chown, link, mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClosingError, defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { maxPayloadBytes } from '../../src/launch/launch-file.ts'
import { createPartnerLinkProvider } from '../../src/launch/provider-table.ts'
import { providerInput } from '../support/provider-input.ts'

const isPosix = process.platform !== 'win32'
const isRoot = process.getuid?.() === 0

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

/** A working directory of a launch, with a private file. */
async function launchingFrom(content = 'a.b.c') {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'my payload.jwt')
  await writeFile(file, content, { mode: 0o600 })
  return {
    folder: folder.path,
    file,
    provide: (path = 'my payload.jwt') =>
      createPartnerLinkProvider(defaultBrand).provide(providerInput([`payload=@${path}`], folder.path)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

describe('payload=@<file>', () => {
  test('is read from the launching directory and deleted after the launch', async () => {
    await using from = await launchingFrom('\r\na.b.c\r\n')
    const { payload, commands, taken } = await from.provide()
    expect({ payload, commands }).toEqual({ payload: 'a.b.c', commands: [] })
    expect(await isThere(from.file)).toBe(true)
    await taken?.()
    expect(await isThere(from.file)).toBe(false)
    await taken?.()
  })

  test('may be an absolute path, in quotes', async () => {
    await using from = await launchingFrom()
    expect(await from.provide(from.file)).toMatchObject({ payload: 'a.b.c' })
    const input = providerInput([`payload="@ ${from.file}"`])
    expect(await createPartnerLinkProvider(defaultBrand).provide(input)).toMatchObject({ payload: 'a.b.c' })
  })

  test('stays when another file has taken its name', async () => {
    await using from = await launchingFrom()
    const { taken } = await from.provide()
    await writeFile(join(from.folder, 'next'), 'd.e.f', { mode: 0o600 })
    await rename(join(from.folder, 'next'), from.file)
    await taken?.()
    expect(await isThere(from.file)).toBe(true)
  })

  test.skipIf(!isPosix)('stays when a link to it has taken its name', async () => {
    await using from = await launchingFrom()
    const { taken } = await from.provide()
    const moved = join(from.folder, 'moved')
    await rename(from.file, moved)
    await symlink(moved, from.file)
    await taken?.()
    expect(await isThere(moved)).toBe(true)
    expect(await isThere(from.file)).toBe(true)
  })

  test('of the greatest length is read, with a line break at its end', async () => {
    const payload = `a.b.${'c'.repeat(maxPayloadBytes - 4)}`
    await using from = await launchingFrom(`${payload}\n`)
    expect(await from.provide()).toMatchObject({ payload })
  })

  test('is given up with the signal’s reason', async () => {
    await using from = await launchingFrom()
    const reason = new ClosingError()
    const input = { ...providerInput([`payload=@${from.file}`]), signal: AbortSignal.abort(reason) }
    await expect(createPartnerLinkProvider(defaultBrand).provide(input)).rejects.toBe(reason)
    expect(await isThere(from.file)).toBe(true)
  })
})

describe('a payload’s file is refused, and stays, when it', () => {
  type Case = [
    title: string,
    isPossible: boolean,
    make: (file: string, folder: string) => Promise<unknown> | unknown,
    problem: string,
  ]
  const cases: Case[] = [
    ['is not there', true, (file, folder) => rename(file, join(folder, 'moved')), 'is not there'],
    [
      'is a folder',
      true,
      async (file, folder) => {
        await rename(file, join(folder, 'moved'))
        await mkdir(file)
      },
      'is not a file',
    ],
    [
      'is a link to a private file',
      isPosix,
      async (file, folder) => {
        await rename(file, join(folder, 'moved'))
        await symlink(join(folder, 'moved'), file)
      },
      'is not a file',
    ],
    [
      'is a named pipe',
      isPosix,
      async (file, folder) => {
        await rename(file, join(folder, 'moved'))
        execFileSync('mkfifo', ['-m', '600', file])
      },
      'is not a file',
    ],
    ['is too large', true, file => writeFile(file, 'x'.repeat(65_600)), 'is larger than'],
    ['may be read by others', isPosix, file => chmod(file, 0o604), 'may be read by other users'],
    ['may be changed by its group', isPosix, file => chmod(file, 0o620), 'may be changed by other users'],
    ['is another user’s (needs root)', isRoot, file => chown(file, 65534, 65534), 'belongs to another user'],
  ]
  for (const [title, isPossible, make, problem] of cases)
    test.skipIf(!isPossible)(title, async () => {
      await using from = await launchingFrom('Secret.b.c')
      const kept = join(from.folder, 'kept')
      await link(from.file, kept)
      await make(from.file, from.folder)
      const refused = await from.provide().catch(error => error)
      expect(refused).toMatchObject({ code: 'ERR_PAYLOAD_FILE' })
      expect(refused.message).toContain(`The file that payload names ${problem}`)
      expect(refused.message).not.toMatch(/Secret|my payload/)
      expect(await isThere(kept)).toBe(true)
    })
})
