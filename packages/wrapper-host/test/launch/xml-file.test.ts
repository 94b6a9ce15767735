import { once } from 'node:events'
import { access, constants, open, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { posixPaths, readXmlFile, windowsPaths } from '../../src/launch/launch-file.ts'
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

  test('a file that is not there is refused by its name', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'none.xml')
    const message = expect.stringContaining(`${file} is not there`)
    await expect(readXmlFile(file, 100)).rejects.toMatchObject({ code: 'ERR_XML_FILE', message })
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
    await expect(createPartnerLinkProvider(defaultBrand).provide(payload)).rejects.toMatchObject({
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

describe('paths of files on Windows', () => {
  test.each([
    ['input.xml', String.raw`C:\work\input.xml`],
    ['in/input.xml', String.raw`C:\work\in\input.xml`],
    [String.raw`..\input.xml`, String.raw`C:\input.xml`],
    [String.raw`\input.xml`, String.raw`C:\input.xml`],
    ['c:input.xml', String.raw`c:\work\input.xml`],
    [String.raw`D:\in\input.xml`, String.raw`D:\in\input.xml`],
    [String.raw`C:\PROGRA~1\INPUT~1.XML`, String.raw`C:\PROGRA~1\INPUT~1.XML`],
    [String.raw`\\server\share\in\input.xml`, String.raw`\\server\share\in\input.xml`],
    ['//server/share/input.xml', String.raw`\\server\share\input.xml`],
    [String.raw`\\?\C:\in\input.xml`, String.raw`C:\in\input.xml`],
    [String.raw`\\?\UNC\server\share\input.xml`, String.raw`\\server\share\input.xml`],
    ['console.xml', String.raw`C:\work\console.xml`],
    ['my nul.xml', String.raw`C:\work\my nul.xml`],
  ])('%s is %s', (name, path) => {
    expect(windowsPaths.resolve(String.raw`C:\work`, name)).toBe(path)
    expect(windowsPaths.isFilePath(path)).toBe(true)
  })

  test.each([
    [String.raw`\\?\C:\work`, String.raw`C:\work\input.xml`],
    [String.raw`\\server\share\work`, String.raw`\\server\share\work\input.xml`],
  ])('from %s a name leads to %s', (workingDirectory, path) => {
    expect(windowsPaths.resolve(workingDirectory, 'input.xml')).toBe(path)
  })

  test.each([
    String.raw`\\.\pipe\input.xml`,
    '//./pipe/input.xml',
    String.raw`\\?\pipe\input.xml`,
    String.raw`\\?\GLOBALROOT\Device\NamedPipe\input.xml`,
    String.raw`\??\pipe\input.xml`,
    String.raw`\\.\C:\input.xml`,
    String.raw`\\localhost\pipe\input.xml`,
    String.raw`\\server\IPC$\input.xml`,
    String.raw`\\?\UNC\localhost\PIPE\input.xml`,
    String.raw`\\server\mailslot\input.xml`,
    'NUL.xml',
    'con.xml',
    'CONIN$',
    String.raw`C:\in\aux.data.xml`,
    String.raw`C:\in\COM1.xml`,
    'lpt¹.xml',
    'prn .xml',
    'input.xml:stream.xml',
    'input.xml::$DATA',
    'd:input.xml',
  ])('%s is no path of a file', name => {
    expect(windowsPaths.isFilePath(windowsPaths.resolve(String.raw`C:\work`, name))).toBe(false)
  })
})

test('elsewhere every name may be a file’s', () => {
  for (const name of ['input.xml', 'NUL.xml', 'input.xml:stream', String.raw`\\.\pipe\input.xml`])
    expect(posixPaths.isFilePath(posixPaths.resolve('/work', name))).toBe(true)
})
