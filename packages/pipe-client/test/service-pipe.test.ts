import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runServicePipe } from '../src/cli/run-service-pipe.ts'
import { type ClassicServer, reply, startServer, uniqueBrand, withVersion } from './_classic-server.ts'
import { deadPid } from './_processes.ts'

const script = fileURLToPath(new URL('../src/cli/service-pipe.ts', import.meta.url))

interface Finished {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `service-pipe` in a process of its own. */
function run(args: readonly string[], { prefix = uniqueBrand().pipePrefix } = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const argv = ['-C', '@service-link/source', script, ...args, '--pipe-prefix', prefix]
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', exitCode => resolve({ exitCode, stdout, stderr }))
  })
}

const runOn = (server: ClassicServer, ...args: string[]) => run(args, { prefix: server.brand.pipePrefix })

const answering = withVersion((socket, { Method }) => {
  if (Method === 'getlistofusers') reply(socket, '[{"id":1,"firstname":"Åse"}]')
  else if (Method === 'selectperson') reply(socket, '{"status":"selected","userid":5,"customid":"A-1"}')
  else socket.end()
})

describe('what it prints', () => {
  test('list: the wrappers that run, as JSON', async () => {
    await using server = await startServer(answering)
    const { exitCode, stdout, stderr } = await runOn(server, 'list')
    expect(JSON.parse(stdout)).toEqual([{ pid: server.pid, address: server.address }])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  test('list: an empty array where nothing runs', async () => {
    expect(await run(['list'])).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' })
  })

  const answers: [string[], string][] = [
    [['version'], '"3.0.0.0"\n'],
    [['hide'], 'null\n'],
    [['GetListOfUsers'], '[{"id":1,"firstname":"Åse"}]\n'],
    [
      ['selectperson', 'customid=A-1', 'firstname=Åse', 'lastname=Berg'],
      '{"status":"selected","userid":5,"customid":"A-1"}\n',
    ],
  ]
  test.each(answers)('%j: exactly one JSON value', async (args, stdout) => {
    await using server = await startServer(answering)
    expect(await runOn(server, ...args)).toEqual({ exitCode: 0, stdout, stderr: '' })
  })

  test('--help: every command of the classic mode, and the exit codes', async () => {
    const { exitCode, stdout, stderr } = await run(['--help'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    for (const word of [
      'list',
      'hide',
      'selectperson',
      'setcustomid userid=… customid=…',
      '[from=…]',
      'Exit codes',
    ])
      expect(stdout).toContain(word)
    expect(stdout).not.toContain('queryexercises')
  })

  test('nobody reads it: no failure', async () => {
    await using server = await startServer(
      withVersion(socket => reply(socket, `[{"id":1,"x":"${'x'.repeat(2_000_000)}"}]`)),
    )
    const argv = [
      '-C',
      '@service-link/source',
      script,
      'getlistofusers',
      '--pipe-prefix',
      server.brand.pipePrefix,
    ]
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text
    })
    const exitCode = await new Promise(resolve => child.on('close', resolve))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })
})

describe('what it sends', () => {
  test('arguments under the names of the command, as text', async () => {
    await using server = await startServer(answering)
    await runOn(server, 'setcustomid', 'UserId=3', 'customid=a=b "c"')
    expect(server.requests.at(-1)).toEqual({
      Method: 'setcustomid',
      Args: { userid: '3', customid: 'a=b "c"' },
    })
  })

  test('profile data as JSON, in place or from a file', async () => {
    await using server = await startServer(answering)
    const folder = mkdtempSync(join(tmpdir(), 'service-pipe-'))
    const file = join(folder, 'profile.json')
    writeFileSync(file, '\uFEFF[{"key":"weight","value":"80"}]')
    try {
      for (const value of [`@${file}`, '[{"key":"weight","value":"80"}]'])
        await runOn(server, 'selectperson', 'customid=1', 'firstname=a', 'lastname=b', `profiledata=${value}`)
    } finally {
      rmSync(folder, { recursive: true })
    }
    const sent = server.requests.filter(({ Method }) => Method === 'selectperson')
    expect(sent.map(({ Args }) => Args?.profiledata)).toEqual([
      [{ key: 'weight', value: '80' }],
      [{ key: 'weight', value: '80' }],
    ])
  })
})

describe('its exit code and what it tells people', () => {
  const misuses: [string[], string][] = [
    [[], 'Name a command.'],
    [['format'], 'There is no such command.'],
    [['queryexercises', 'text=knee'], 'There is no such command.'],
    [['list', 'x=1'], 'list takes no arguments.'],
    [['openworkout', '17'], 'Arguments have the form key=value.'],
    [['openworkout', 'wrokout=17'], 'openworkout takes no argument of the name wrokout.'],
    [['openworkout', 'id=1', 'ID=2'], 'id is given twice.'],
    [['hide', '--pid', 'x'], '--pid needs a process id.'],
    [['hide', '--timeout', '0'], '--timeout needs a number of seconds'],
    [['hide', '--nonsense'], "Unknown option '--nonsense'"],
    [['selectperson', 'profiledata=[{'], 'profiledata needs JSON.'],
    [['selectperson', 'profiledata=@/no/such/file'], 'cannot be read as JSON'],
  ]
  test.each(misuses)('2 for %j: %s', async (args, sentence) => {
    const { exitCode, stdout, stderr } = await runServicePipe(args, { isForPerson: false })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).toContain('See service-pipe --help.')
  })

  test('2 for a prefix that no pipe can have', async () => {
    expect(await run(['list'], { prefix: '../x' })).toMatchObject({ exitCode: 2, stdout: '' })
  })

  test('2 when several wrappers run and none is named', async () => {
    await using one = await startServer(answering)
    await using other = await startServer(answering, { brand: one.brand, pid: process.ppid })
    const { exitCode, stderr } = await runOn(one, 'hide')
    expect(exitCode).toBe(2)
    expect(stderr).toContain(String(other.pid))
    expect(await runOn(one, 'hide', '--pid', String(other.pid))).toMatchObject({ exitCode: 0 })
  })

  test('3 when no wrapper runs', async () => {
    const { exitCode, stdout, stderr } = await run(['version'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toBe(
      'service-pipe: No wrapper of this user is running. Start it and try again. [ERR_PIPE_NOT_FOUND]\n',
    )
  })

  test('3 when none runs as the process that is named', async () => {
    expect(await run(['version', '--pid', String(deadPid())])).toMatchObject({ exitCode: 3, stdout: '' })
  })

  test('4 when the wrapper refuses', async () => {
    await using server = await startServer(
      withVersion(socket =>
        reply(socket, '{"error":"There is no workout with this id.","code":"ERR_NOT_FOUND"}'),
      ),
    )
    const { exitCode, stdout, stderr } = await runOn(server, 'openworkout', 'id=17')
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect(stderr).toContain('There is no workout with this id. (ERR_NOT_FOUND)')
  })

  test('4 when version and command together take longer than the time', async () => {
    const late = (answer: () => void) => void setTimeout(answer, 400)
    await using server = await startServer((socket, { Method }) =>
      late(() => (Method === 'version' ? reply(socket, '3.0.0.0') : socket.end())),
    )
    const argv = ['hide', '--timeout', '0.7', '--pipe-prefix', server.brand.pipePrefix]
    const { exitCode, stderr } = await runServicePipe(argv, { isForPerson: false })
    expect(exitCode).toBe(4)
    expect(stderr).toContain('within 700 ms')
  })

  test('4 when the wrapper does not answer in time', async () => {
    await using server = await startServer(withVersion(() => {}))
    const { exitCode, stderr } = await runOn(server, 'hide', '--timeout', '0.05')
    expect(exitCode).toBe(4)
    expect(stderr).toContain('[ERR_PIPE_TIMEOUT]')
  })
})
