import { once } from 'node:events'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import {
  ArgsError,
  type Command,
  defaultBrand,
  encodeFrame,
  NotFoundError,
  NotSignedInError,
  pipeName,
} from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test, vi } from 'vitest'
import { PipeServer, PipeTakenError } from '../../src/pipe/pipe-server.ts'
import { StatusKeeper } from '../../src/web-app/status-keeper.ts'
import { dial, framesUntilClosed, header, type RunCommand, request, servePipe } from '../support/pipe.ts'

const workouts = [{ id: 7, name: 'Knee, first weeks', owner: 3, anything: { kept: true } }]
const usersReply =
  '[{"Id":1,"CustomId":"a","Firstname":null,"Lastname":null,"Email":null,"DateOfBirth":"0001-01-01T00:00:00"}]'
const answers: RunCommand = async command => {
  switch (command.name) {
    case 'version':
      return '3.0.0.0'
    case 'getworkoutsforclient':
      return workouts
    case 'getlistofusers':
      return [{ id: 1, customId: 'a' }]
    case 'selectperson':
      return { status: 'created', userId: 12, customId: command.args.customId ?? '' }
    default:
      return undefined
  }
}

/** Sends one byte and lets the server of this process take it. */
function sendByte(socket: Socket): Promise<void> {
  socket.write('x')
  return new Promise(done => setImmediate(done))
}

function codeIn(frames: readonly string[]): string | undefined {
  return frames.length === 1 ? JSON.parse(frames[0] ?? '{}').code : undefined
}

describe('classic mode', () => {
  test.each<[string, unknown, string[]]>([
    ['[4.5-version] version is bare text, not JSON', { Method: 'version' }, ['3.0.0.0']],
    ['[4.5-hide] hide just closes', { Method: 'hide', Args: null }, []],
    ['[4.5-openworkout] openworkout just closes', { Method: 'openworkout', Args: { id: '7' } }, []],
    [
      '[4.5-getworkoutsforclient] workouts are a JSON array',
      { Method: 'GetWorkoutsForClient', Args: { customid: 'a' } },
      [
        '[{"Id":7,"Name":"Knee, first weeks","Description":null,"LastChangedAt":"0001-01-01T00:00:00","Owner":3,"Executor":0,' +
          '"OwnerName":null,"ExecutorName":null,"ExerciseCount":0,"Exercises":[],"anything":{"kept":true}}]',
      ],
    ],
    ['[4.5-getlistofusers] users are a JSON array', { Method: 'getlistofusers' }, [usersReply]],
    [
      '[4.5-selectperson] selectperson tells status and ids',
      { Method: 'selectperson', Args: { customid: 'p', firstname: 'A', lastname: 'B' } },
      ['{"status":"created","userid":12,"customid":"p"}'],
    ],
  ])('%s', async (_title, envelope, expected) => {
    await using pipe = await servePipe(answers)
    expect(await request(pipe.address, envelope)).toEqual(expected)
  })

  test('a NUL that the length of the frame does not count is ignored', async () => {
    await using pipe = await servePipe(answers)
    const socket = await dial(pipe.address)
    socket.write(Buffer.concat([encodeFrame('{"Method":"version"}'), Buffer.from([0])]))
    expect(await framesUntilClosed(socket)).toEqual(['3.0.0.0'])
  })

  test('[4.5-envelope] the command reaches the runner parsed', async () => {
    const seen: Command[] = []
    await using pipe = await servePipe(async (command, signal) => {
      seen.push(command)
      return answers(command, signal)
    })
    await request(pipe.address, {
      Method: 'selectperson',
      Args: {
        id: '5',
        firstname: ' Åse ',
        lastname: 'Ø',
        dateOfBirth: '03.04.1980',
        gender: 'F',
        userid: '0',
      },
    })
    expect(seen).toEqual([
      {
        name: 'selectperson',
        args: {
          customId: '5',
          userId: 0,
          firstname: 'Åse',
          lastname: 'Ø',
          dateOfBirth: '1980-04-03',
          gender: 'female',
        },
      },
    ])
  })

  test.each<[string, Error, string]>([
    ['what the web app does not find', new NotFoundError('There is no such workout.'), 'ERR_NOT_FOUND'],
    ['a missing sign-in', new NotSignedInError(), 'ERR_NOT_SIGNED_IN'],
    ['refused arguments', new ArgsError([{ path: 'id', problem: 'is missing' }]), 'ERR_ARGS'],
    ['an unexpected failure, without its words', new Error('Kari Nordmann'), 'ERR_WEB_APP'],
  ])('%s is a sentence and a code', async (_title, error, code) => {
    await using pipe = await servePipe(() => Promise.reject(error))
    const [reply = ''] = await request(pipe.address, { Method: 'hide' })
    expect(JSON.parse(reply)).toEqual({ error: expect.any(String), code })
    expect(reply).not.toContain('Nordmann')
  })

  test.each<[string, Buffer, string]>([
    ['a length of 0', header(0), 'ERR_FRAME'],
    ['a negative length', header(-1), 'ERR_FRAME'],
    ['a length above the limit, before any body', header(1024 * 1024 + 1), 'ERR_FRAME'],
    ['a body that is not UTF-8', Buffer.concat([header(2), Buffer.from([0xc3, 0x28])]), 'ERR_JSON'],
    ['a body that is not JSON', Buffer.from(encodeFrame('{"Method":')), 'ERR_JSON'],
    ['a body that is no object', Buffer.from(encodeFrame('[]')), 'ERR_JSON'],
    ['no method', Buffer.from(encodeFrame('{"Args":{}}')), 'ERR_METHOD'],
    ['an unknown method', Buffer.from(encodeFrame('{"Method":"eval"}')), 'ERR_METHOD'],
    [
      'a command of the session mode',
      Buffer.from(encodeFrame('{"Method":"queryexercises","Args":{"text":"a"}}')),
      'ERR_METHOD',
    ],
    [
      'arguments of the wrong type',
      Buffer.from(encodeFrame('{"Method":"openworkout","Args":{"id":"x"}}')),
      'ERR_ARGS',
    ],
  ])('%s is refused with its code, and leaves another client untouched', async (_title, bytes, code) => {
    const waiting = Promise.withResolvers<void>()
    await using pipe = await servePipe(async (command, signal) => {
      if (command.name === 'getlistofusers') await waiting.promise
      return answers(command, signal)
    })
    const other = request(pipe.address, { Method: 'getlistofusers' })
    const socket = await dial(pipe.address)
    const frames = framesUntilClosed(socket)
    socket.write(bytes)
    expect(codeIn(await frames)).toBe(code)
    waiting.resolve()
    expect(await other).toEqual([usersReply])
  })

  // A pipe of Windows cannot be half-closed: Node closes it 50 ms after the end.
  const unlessWindows = test.skipIf(process.platform === 'win32')

  unlessWindows('a client that half-closes after its request gets the reply', async () => {
    await using pipe = await servePipe(answers)
    const socket = await dial(pipe.address)
    const frames = framesUntilClosed(socket)
    socket.end(encodeFrame('{"Method":"version"}'))
    expect(await frames).toEqual(['3.0.0.0'])
  })

  unlessWindows('a client that ends inside a frame is told so', async () => {
    await using pipe = await servePipe(answers)
    const cut = await dial(pipe.address)
    const cutFrames = framesUntilClosed(cut)
    cut.end(header(10))
    expect(codeIn(await cutFrames)).toBe('ERR_FRAME')
  })

  test('a client that ends without a request is released', async () => {
    await using pipe = await servePipe(answers)
    const silent = await dial(pipe.address)
    const silentFrames = framesUntilClosed(silent)
    silent.end()
    expect(await silentFrames).toEqual([])
  })

  test('a client that sends single bytes is disconnected after its time', async () => {
    await using pipe = await servePipe(answers, { silenceLimitMs: 300 })
    const socket = await dial(pipe.address)
    const length = 1024 * 1024
    socket.write(header(length))
    let sent = 0
    for (; sent < length - 1 && !socket.destroyed; sent++) await sendByte(socket)
    expect(sent).toBeLessThan(length - 1)
    socket.destroy()
  })
})

/** A server that carries out no command. */
const idle = {
  brand: defaultBrand,
  culture: 'nb-NO',
  version: '3.0.0.0',
  statusKeeper: new StatusKeeper(),
  runner: {
    begin: () => ({ answer: Promise.resolve(undefined), ended: Promise.resolve() }),
    runOwn: () => undefined,
    throwIfClosing: () => undefined,
  },
}

describe.skipIf(process.platform === 'win32')('the socket', () => {
  test('[4.5-name] lies where .NET looks for this process’s pipe, private to this user', async () => {
    await using pipe = await servePipe(answers)
    expect(pipe.address).toBe(join(pipe.folder, `CoreFxPipe_${pipeName(defaultBrand, process.pid)}`))
    expect((await stat(pipe.address)).mode & 0o777).toBe(0o600)
  })

  test('is removed with the server', async () => {
    await using folder = await temporaryFolder()
    const options = { ...idle, temporaryFolder: folder.path }
    const pipe = new PipeServer(options)
    await pipe.bind()
    await pipe[Symbol.asyncDispose]()
    await expect(stat(pipe.address)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('of an earlier process with this id is replaced; other files at its place are reported', async () => {
    await using folder = await temporaryFolder()
    const options = { ...idle, temporaryFolder: folder.path }
    const address = join(folder.path, `CoreFxPipe_${pipeName(defaultBrand, process.pid)}`)
    await writeFile(address, '')
    await expect(new PipeServer(options).bind()).rejects.toBeInstanceOf(PipeTakenError)
    await using second = await temporaryFolder()
    await mkdir(join(second.path, `CoreFxPipe_${pipeName(defaultBrand, process.pid)}`))
    const beside = new PipeServer({ ...options, temporaryFolder: second.path })
    await expect(beside.bind()).rejects.toMatchObject({ code: 'ERR_PIPE_TAKEN' })
  })
})

describe('closing the server', () => {
  test('does not wait for a client that does not read', async () => {
    const big = [{ id: 1, text: 'x'.repeat(8 * 1024 * 1024) }]
    await using pipe = await servePipe(async () => big, { lastAnswersMs: 20 })
    const deaf = await dial(pipe.address)
    deaf.write(encodeFrame('{"Method":"getlistofusers"}'))
    await once(deaf, 'readable')
    await pipe.close()
    deaf.destroy()
  }, 25_000)

  test('answers an unread request with ERR_CLOSING, because a bare end would count as done', async () => {
    const run = vi.fn(answers)
    await using pipe = await servePipe(run)
    const late = await dial(pipe.address)
    late.write(encodeFrame('{"Method":"openworkout","Args":{"id":"7"}}').subarray(0, -1))
    // It has its place by then.
    const other = await dial(pipe.address)
    other.write(encodeFrame('{"Method":"version"}'))
    await framesUntilClosed(other)
    const frames = framesUntilClosed(late)
    await pipe.close()
    expect((await frames).map(frame => JSON.parse(frame))).toEqual([
      { error: expect.any(String), code: 'ERR_CLOSING' },
    ])
    expect(run).not.toHaveBeenCalled()
  })
})
