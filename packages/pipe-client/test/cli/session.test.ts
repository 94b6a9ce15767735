import { memoryTerminal } from '@service-link/terminal/testing'
import { describe, expect, test } from 'vitest'
import { runServicePipe } from '../../src/cli/run-service-pipe.ts'
import { optionsForPrefix, runHere, startServicePipe } from '../support/service-pipe.ts'
import { type SessionServer, startSessionServer } from '../support/session-server.ts'

const limit = { timeout: 60_000, interval: 5 }
const nobody = { loaded: true, signedin: false, person: null }
const capabilities = [
  ...['status', 'subscribe', 'personselected', 'personcleared', 'signedin', 'signedout', 'closing'],
]

/** A wrapper that answers `status` and `version`, and `getlistofusers` by `list`. */
function startWrapper(list: (reply: () => void) => void, status: Readonly<Record<string, unknown>> = nobody) {
  return startSessionServer(
    (connection, request) => {
      if (request.Method === 'getlistofusers') list(() => connection.reply(request, []))
      else connection.reply(request, request.Method === 'status' ? status : '3.0.0.0')
    },
    { hello: { capabilities } },
  )
}

/** The connection with the event subscription. */
function watcherOf({ connections }: SessionServer) {
  const watcher = connections.find(({ requests }) => requests.some(({ Method }) => Method === 'subscribe'))
  if (!watcher) throw new Error('Nobody watches.')
  return watcher
}

describe('a lost connection', () => {
  test('while watching: 4, and the output so far stays', async () => {
    await using server = await startWrapper(() => {})
    const watching = startServicePipe(['watch', 'signedin'], { prefix: server.brand.pipePrefix })
    await expect.poll(watching.terminal.told, limit).toContain('Watching process')
    watcherOf(server).tell('signedin')
    await expect.poll(watching.terminal.printed, limit).toBe('{"event":"signedin","data":null}\n')
    watcherOf(server).socket.destroy()
    const { exitCode, stdout, stderr } = await watching.finished
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '{"event":"signedin","data":null}\n' })
    expect(stderr).toMatch(
      / failed\. \[ERR_PIPE_CLOSED\]\n→ Try again in a moment\. See .*: service-pipe list\nhttps:\S+#err_pipe_closed\n$/,
    )
  })

  test('while watching with --json: the failure is the last line', async () => {
    await using server = await startWrapper(() => {})
    const watching = startServicePipe(['watch', '--json'], { prefix: server.brand.pipePrefix })
    await expect.poll(watching.terminal.told, limit).toContain('Watching process')
    watcherOf(server).socket.destroy()
    const { exitCode, stdout } = await watching.finished
    expect(exitCode).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({ code: 'ERR_PIPE_CLOSED' })
  })
})

test('an event’s text cannot drive a terminal', async () => {
  await using server = await startWrapper(() => {})
  const watching = startServicePipe(['watch', '--count=1'], { prefix: server.brand.pipePrefix })
  await expect.poll(watching.terminal.told, limit).toContain('Watching process')
  const person = { userid: 5, customid: '4711', firstname: '\u001b[2J\u202eKari\u2028', lastname: 'Ås' }
  watcherOf(server).tell('personselected', person)
  const { exitCode, stdout } = await watching.finished
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ event: 'personselected', data: person })
  expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}/u)
})

test('status and watch tell the number of the focus, and watch why it ended', async () => {
  const focused = { loaded: true, signedin: true, person: { userid: 5 }, focusnumber: 7 }
  await using server = await startWrapper(() => {}, focused)
  const prefix = server.brand.pipePrefix
  const status = await runHere(['status'], { prefix })
  expect(JSON.parse(status.stdout)).toEqual({ pid: server.pid, version: '3.0.0.0', ...focused })
  const watching = startServicePipe(['watch', '--count=3'], { prefix })
  await expect.poll(watching.terminal.told, limit).toContain('Watching process')
  const events = [
    { event: 'personselected', data: { userid: 6, focusnumber: 8 } },
    { event: 'personcleared', data: { reason: 'user', focusnumber: 9 } },
    { event: 'signedout', data: { reason: 'partnerlocked' } },
  ]
  for (const { event, data } of events) watcherOf(server).tell(event, data)
  const { stdout } = await watching.finished
  expect(
    stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual(events)
})

test.each([
  [['clearperson', 'customid=4711'], { customid: '4711' }],
  [['signout'], undefined],
])('%j ends a focus or a session; of an older wrapper the error says so', async (args, sent) => {
  const refusals = [undefined, 'ERR_METHOD']
  await using server = await startSessionServer((connection, request) => {
    const code = refusals.shift()
    code ? connection.fail(request, code) : connection.reply(request)
  })
  const run = () => runHere(args, { prefix: server.brand.pipePrefix })
  expect(await run()).toEqual({ exitCode: 0, stdout: 'null\n', stderr: '' })
  expect(server.first.requests.at(-1)).toEqual({ Id: expect.any(Number), Method: args[0], Args: sent })
  const older = await run()
  expect(older).toMatchObject({ exitCode: 4, stdout: '' })
  expect(older.stderr).toMatch(
    /not known to this wrapper.*3\.0\.0\.0.*\[ERR_PIPE_UNSUPPORTED\]\n→ Update the wrapper/,
  )
})

test('a field that the wrapper left out is told, without driving a terminal', async () => {
  await using server = await startSessionServer(({ send }, { Id }) => {
    send(
      JSON.stringify({ Id, Result: [], Warnings: [{ path: 'gender', problem: 'must\u001b[2J be F or M' }] }),
    )
  })
  const { exitCode, stdout, stderr } = await runHere(['getlistofusers'], { prefix: server.brand.pipePrefix })
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '[]\n' })
  expect(stderr).toMatch(/^service-pipe: The wrapper warns: gender must[^\p{Cc}]* be F or M\.\n$/u)
})

test('progress appears on a terminal after a second', async () => {
  const asked = Promise.withResolvers<() => void>()
  await using server = await startWrapper(asked.resolve)
  const terminal = memoryTerminal({ isWatched: true })
  const ended = runServicePipe(['getlistofusers', ...optionsForPrefix(server.brand.pipePrefix)], terminal)
  const reply = await asked.promise
  await expect.poll(terminal.told, limit).toContain('\r\u001b[KWaiting for the wrapper … ')
  reply()
  expect(await ended).toBe(0)
  expect(terminal.printed()).toBe('[]\n')
  // The line is erased.
  expect(terminal.told().endsWith('\r\u001b[K')).toBe(true)
})

test('an answer on a terminal is indented', async () => {
  await using server = await startWrapper(() => {})
  const terminal = memoryTerminal({ isDataWatched: true })
  expect(await runServicePipe(['status', ...optionsForPrefix(server.brand.pipePrefix)], terminal)).toBe(0)
  const value = { pid: server.pid, version: '3.0.0.0', ...nobody }
  expect(terminal.printed()).toBe(`${JSON.stringify(value, null, 2)}\n`)
})
