import { once } from 'node:events'
import { access, constants, mkdir, open, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { readXmlFile } from '../../src/launch/launch-file.ts'
import { createPartnerLinkProvider, createXmlProvider } from '../../src/launch/provider-table.ts'
import { providerInput } from '../support/provider-input.ts'

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

describe('readXmlFile', () => {
  test('[4.4-delete] deletes the file after reading', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'input.xml')
    await writeFile(file, 'content')
    const read = await readXmlFile(file, 100)
    expect(Buffer.from(read.bytes).toString()).toBe('content')
    expect(await read.deleteIfSame()).toBe(true)
    expect(await isThere(file)).toBe(false)
  })

  test.skipIf(process.platform === 'win32')(
    '[4.4-delete] keeps a file behind a link, and reports it; folders above may be links',
    async () => {
      await using folder = await temporaryFolder()
      const file = join(folder.path, 'input.xml')
      await writeFile(file, 'content')
      const link = join(folder.path, 'link.xml')
      await symlink(file, link)
      const read = await readXmlFile(link, 100)
      expect(Buffer.from(read.bytes).toString()).toBe('content')
      await expect(read.deleteIfSame()).rejects.toMatchObject({
        code: 'ERR_XML_FILE',
        message: expect.stringContaining('is a link, so the file that it leads to was not deleted'),
      })
      expect([await isThere(file), await isThere(link)]).toEqual([true, true])

      await symlink(folder.path, join(folder.path, 'redirected'))
      const redirected = await readXmlFile(join(folder.path, 'redirected', 'input.xml'), 100)
      expect(await redirected.deleteIfSame()).toBe(true)
      expect(await isThere(file)).toBe(false)
    },
  )

  test('a newer file under the same name stays', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'input.xml')
    await writeFile(file, 'old')
    const read = await readXmlFile(file, 100)
    await writeFile(join(folder.path, 'next.xml'), 'new')
    await rename(join(folder.path, 'next.xml'), file)
    expect(await read.deleteIfSame()).toBe(false)
    expect(await isThere(file)).toBe(true)
  })

  test('a file that another program deleted meanwhile is no failure', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'input.xml')
    await writeFile(file, 'old')
    const read = await readXmlFile(file, 100)
    expect(await read.deleteIfSame()).toBe(true)
    expect(await read.deleteIfSame()).toBe(false)
  })

  test.each<[string, (folder: string) => Promise<string> | string, string]>([
    ['that is not there', folder => join(folder, 'none.xml'), 'is not there'],
    [
      'that is a folder',
      async folder => {
        await mkdir(join(folder, 'a.xml'))
        return join(folder, 'a.xml')
      },
      'is not a file',
    ],
    [
      'that is too large',
      async folder => {
        await writeFile(join(folder, 'b.xml'), 'x'.repeat(101))
        return join(folder, 'b.xml')
      },
      'is larger than 100 bytes',
    ],
  ])('a file %s is refused with a reason', async (_title, make, reason) => {
    await using folder = await temporaryFolder()
    const file = await make(folder.path)
    await expect(readXmlFile(file, 100)).rejects.toMatchObject({
      code: 'ERR_XML_FILE',
      message: expect.stringContaining(reason),
    })
  })

  test.runIf(process.platform === 'win32')('a Windows path that is no file is refused unopened', async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, 'input.xml'), '<a/>')
    let visits = 0
    const pipe = `${basename(folder.path)}.xml`
    const server = createServer(socket => {
      visits++
      socket.destroy()
    }).listen(`\\\\.\\pipe\\${pipe}`)
    await once(server, 'listening')
    const provide = (name: string) =>
      createXmlProvider(defaultBrand).provide(providerInput([name], folder.path))
    const drive = folder.path.startsWith('Q') ? 'R' : 'Q'
    for (const name of [
      `\\\\.\\pipe\\${pipe}`,
      `//./pipe/${pipe}`,
      `\\\\?\\pipe\\${pipe}`,
      `\\\\localhost\\pipe\\${pipe}`,
      'NUL.xml',
      'con.xml',
      'input.xml:stream.xml',
      `${drive}:input.xml`,
    ])
      await expect(provide(name), name).rejects.toMatchObject({
        code: 'ERR_XML_FILE',
        message: expect.stringContaining('is not a file'),
      })
    expect(visits).toBe(0)
    const payload = providerInput([`payload=@\\\\.\\pipe\\${pipe}`], folder.path)
    await expect(createPartnerLinkProvider().provide(payload)).rejects.toMatchObject({
      code: 'ERR_PAYLOAD_FILE',
      message: expect.stringContaining('is not a file'),
    })
    expect(visits).toBe(0)
    server.close()
  })

  test.runIf(process.platform === 'win32')(
    'a file locked by another program is awaited and deleted',
    async () => {
      await using folder = await temporaryFolder()
      const file = join(folder.path, 'input.xml')
      await writeFile(file, 'content')
      // Windows opens the file exclusively, like libuv.
      const exclusive = 0x10000000
      const holder = await open(file, constants.O_RDWR | exclusive)
      const reading = readXmlFile(file, 100)
      await expect(readFile(file)).rejects.toMatchObject({ code: 'EBUSY' })
      await holder.close()
      const read = await reading
      expect(Buffer.from(read.bytes).toString()).toBe('content')
      const again = await open(file, constants.O_RDWR | exclusive)
      const deleting = read.deleteIfSame()
      await expect(readFile(file)).rejects.toMatchObject({ code: 'EBUSY' })
      await again.close()
      expect(await deleting).toBe(true)
    },
  )

  test('arguments beside the file are left out, and named', async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, 'input.xml'), '<serviceinput exercisequery="knee"/>')
    const argv = ['input.xml', 'id=4711', 'queryworkouts=hip', 'email=']
    const dropped: string[] = []
    const input = providerInput(argv, folder.path)
    const onDropped = ({ path }: { path: string }) => void dropped.push(path)
    const { commands } = await createXmlProvider(defaultBrand).provide({ ...input, onDropped })
    expect(commands).toEqual([{ name: 'queryexercises', args: { text: 'knee' } }])
    expect(dropped).toEqual(['id', 'queryworkouts'])
  })
})
