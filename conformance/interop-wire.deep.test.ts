import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PartnerProgram, partnerLanguages } from '../internal/test-kit/src/partner-programs.ts'
import { temporaryFolder } from '../internal/test-kit/src/temporary-folder.ts'
import { encodeFrame } from '../packages/protocol-core/src/index.ts'
import { startInteropServer } from './support/interop-server.ts'

interface Vector {
  readonly id: string
  readonly input: { readonly body: string; readonly streamHex: string }
  readonly expect?: { readonly name: string }
}

function vectorsOf(file: string): Vector[] {
  const url = new URL(`./vectors/${file}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')).vectors
}

/** Requests with only `Method` and `Args`, in this order and without white space. */
const deterministic = vectorsOf('classic-requests').flatMap(({ input: { body }, expect: command }) => {
  const { Method: name, Args: args } = parse(body)
  if (!command || name !== command.name || JSON.stringify({ Method: name, Args: args }) !== body) return []
  // The examples leave out empty arguments.
  if (args !== undefined && Object.keys(args ?? {}).length === 0) return []
  return [{ body, name, args: args ? [JSON.stringify(args)] : [] }]
})

function parse(text: string): { readonly Method?: string; readonly Args?: object | null } {
  try {
    return { ...JSON.parse(text) }
  } catch {
    return {}
  }
}

/** A frame in pieces of one byte. */
function replyByteByByte(socket: Socket, text: string) {
  const frame = encodeFrame(text)
  const send = (index: number) => {
    if (index === frame.length) return void socket.end()
    socket.write(frame.subarray(index, index + 1), () => send(index + 1))
  }
  send(0)
}

const broken: [string, Buffer][] = [
  ['a header that is cut off', Buffer.from('0700', 'hex')],
  ['a header alone', Buffer.from('07000000', 'hex')],
  ['a body that is cut off', Buffer.from('07000000332e30', 'hex')],
  ['a length of 0', Buffer.from('00000000', 'hex')],
  ['a negative length', Buffer.from('ffffffff', 'hex')],
  ['a length above 16 MiB', Buffer.from('01000001', 'hex')],
]

const pid = String(process.pid)

for (const { name, leftOut, build } of partnerLanguages) {
  describe.skipIf(leftOut !== undefined)(`the example in ${name}${leftOut ?? ''}`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let program: PartnerProgram
    beforeAll(async () => {
      folder = await temporaryFolder()
      program = await build(folder.path)
    })
    afterAll(() => folder?.[Symbol.asyncDispose]())

    test('[4.5-envelope] sends the bytes of the vectors', async () => {
      expect(deterministic.length).toBeGreaterThan(2)
      const [frameOfVersion] = vectorsOf('frames').filter(({ id }) => id === 'frame-version')
      await using server = await startInteropServer(socket => replyByteByByte(socket, '3.0.0.0'))
      await program(pid, 'version')
      expect(server.received.map(bytes => bytes.toString('hex'))).toEqual([frameOfVersion?.input.streamHex])
      for (const { name: command, args, body } of deterministic) {
        await program(pid, command, ...args)
        expect(server.received.at(-1)?.toString('hex')).toBe(Buffer.from(encodeFrame(body)).toString('hex'))
      }
    })

    test('reads a reply in single bytes', async () => {
      await using _server = await startInteropServer(socket => replyByteByByte(socket, '["漢字 😀"]'))
      const { output, ...end } = await program(pid, 'getlistofusers')
      expect(end).toEqual({ exitCode: 0, errors: '' })
      expect(JSON.parse(output)).toEqual(['漢字 😀'])
    })

    test.each([
      ['{"error":"Said why: \\"漢\\".","code":"ERR_FROM_THE_FUTURE"}', 4],
      ['\n { "code" : "ERR_CLOSING", "error" : "Said why.", "more": 1 }', 4],
      ['{"status":"created","userid":5,"customid":"\\"error\\":\\"no\\""}', 0],
      ['{"status":"created","userid":5,"customid":"error"}', 0],
    ])('reads %j correctly', async (reply, exitCode) => {
      await using _server = await startInteropServer(socket => void socket.end(encodeFrame(reply)))
      const end = await program(pid, 'selectperson')
      expect(end).toMatchObject({
        exitCode,
        output: exitCode === 0 ? expect.stringContaining('created') : '',
      })
      expect(end.errors).toMatch(exitCode === 0 ? /^$/ : /ERR_[A-Z_]+/)
    })

    test.each(broken)('fails for %s', async (_title, bytes) => {
      await using _server = await startInteropServer(socket => void socket.end(bytes))
      const end = await program(pid, 'version')
      expect(end).toMatchObject({ exitCode: 3, output: '' })
      expect(end.errors).toContain('The wrapper was not reached: ')
    })

    test('accepts a complete reply while the connection stays open', async () => {
      await using _server = await startInteropServer(socket => void socket.write(encodeFrame('3.0.0.0')))
      expect(await program(pid, 'version')).toEqual({ exitCode: 0, output: '3.0.0.0', errors: '' })
    })

    test('finds the wrapper of its own desktop, and says that there is none', async () => {
      {
        await using _server = await startInteropServer(socket => void socket.end(encodeFrame('3.0.0.0')))
        expect(await program('version')).toEqual({ exitCode: 0, output: '3.0.0.0', errors: '' })
      }
      await using _other = await startInteropServer(() => {}, { desktop: ':4711' })
      for (const args of [['version'], ['1', 'version']]) {
        const end = await program(...args)
        expect(end).toMatchObject({ exitCode: 3, output: '' })
        expect(end.errors).toMatch(/^The wrapper was not reached: .+/)
      }
    })

    test('sends nothing to a process that does not prove to be the wrapper', async () => {
      await using server = await startInteropServer(() => {}, { answer: 'c'.repeat(64) })
      const end = await program(pid, 'version')
      expect(end).toMatchObject({ exitCode: 3, output: '' })
      expect(end.errors).toContain('This is not the wrapper of the record.')
      expect(server.received.map(({ length }) => length)).toEqual([0])
    })

    // The framework of C# does not tell the permissions of a file.
    test.skipIf(name === 'C#')('takes no record that other users may write to', async () => {
      await using server = await startInteropServer(() => {}, { mode: 0o622 })
      const end = await program(pid, 'version')
      expect(end).toMatchObject({ exitCode: 3, output: '' })
      expect(server.received).toEqual([])
    })

    test('does not wait forever', async () => {
      await using place = await temporaryFolder()
      // The limit of 35 seconds, shortened.
      const hasty = await build(place.path, source => source.replaceAll(/\b35(000)?(?=\)|$)/gm, '2$1'))
      await using server = await startInteropServer(() => {})
      const end = await hasty(pid, 'version')
      expect(end).toMatchObject({ exitCode: 3, output: '' })
      expect(end.errors).toContain('did not answer in time')
      expect(server.received).toHaveLength(1)
    })
  })
}
