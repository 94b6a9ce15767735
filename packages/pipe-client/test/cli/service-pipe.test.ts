import { docsUrlOf } from '@service-link/protocol-core/errors'
import { describe, expect, test } from 'vitest'
import { ownDesktop } from '../../src/running/own-desktop.ts'
import { type ClassicServer, reply, startServer, withVersion } from '../support/classic-server.ts'
import { deadPid } from '../support/processes.ts'
import { runHere as run } from '../support/service-pipe.ts'

const runOn = (server: ClassicServer, ...args: string[]) => run(args, { prefix: server.brand.pipePrefix })

const answering = withVersion((socket, { Method }) => {
  if (Method === 'getlistofusers') reply(socket, '[{"id":1,"firstname":"Åse"}]')
  else if (Method === 'selectperson') reply(socket, '{"status":"selected","userid":5,"customid":"A-1"}')
  else socket.end()
})

describe('the output', () => {
  test('[4.5-name] list: the running wrappers, as JSON', async () => {
    await using server = await startServer(answering)
    const { exitCode, stdout, stderr } = await runOn(server, 'list')
    expect(JSON.parse(stdout)).toEqual([
      { pid: server.pid, version: '3.0.0.0', desktop: ownDesktop(), address: expect.any(String) },
    ])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  test('list: an empty array without wrappers', async () => {
    expect(await run(['list'])).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' })
  })

  const answers: [string[], string][] = [
    [['version'], '"3.0.0.0"\n'],
    [['hide'], 'null\n'],
    [['log'], 'null\n'],
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
})

describe('the exit code', () => {
  test('2 when several wrappers run and none is named, with their ids and advice', async () => {
    await using one = await startServer(answering)
    await using other = await startServer(answering, { brand: one.brand, pid: process.ppid })
    const [first, second] = [one.pid, other.pid].sort((a, b) => a - b)
    const { exitCode, stdout, stderr } = await runOn(one, 'hide')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toBe(
      `service-pipe: Several wrappers are running, as processes ${first}, ${second}. Give the process id of one. [ERR_PIPE_AMBIGUOUS]\n` +
        '→ See which is which with service-pipe list and service-pipe status --pid …, then name it: service-pipe hide --pid …\n' +
        `${docsUrlOf('ERR_PIPE_AMBIGUOUS')}\n`,
    )
    expect(await runOn(one, 'hide', '--pid', String(other.pid))).toMatchObject({ exitCode: 0 })
  })

  test('3 when no wrapper runs, with advice to start one', async () => {
    const { exitCode, stdout, stderr } = await run(['version'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    const [sentence, advice] = stderr.split('\n')
    expect(sentence).toBe(
      'service-pipe: No wrapper of this user is running. Start it and try again. [ERR_PIPE_NOT_FOUND]',
    )
    expect(advice).toMatch(/^→ Run \S+, or let this command start it first: service-pipe version --start$/)
  })

  test('3 when the named process is no wrapper', async () => {
    const pid = deadPid()
    const { exitCode, stdout, stderr } = await run(['version', '--pid', String(pid)])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toContain(
      `runs as process ${pid}. Start it, or leave the process id out. [ERR_PIPE_NOT_FOUND]\n→ See which are running: service-pipe list`,
    )
  })

  test('4 when the wrapper refuses, with advice', async () => {
    await using server = await startServer(
      withVersion(socket =>
        reply(socket, '{"error":"There is no workout with this id.","code":"ERR_NOT_FOUND"}'),
      ),
    )
    const { exitCode, stdout, stderr } = await runOn(server, 'openworkout', 'id=17')
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect(stderr).toBe(
      'service-pipe: There is no workout with this id. (ERR_NOT_FOUND) [ERR_PIPE_REFUSED]\n' +
        '→ Find the id of a workout: service-pipe getworkoutsforclient userid=…\n' +
        `${docsUrlOf('ERR_NOT_FOUND')}\n`,
    )
  })
})

describe('--json', () => {
  test('a failure is one JSON value on standard output, too', async () => {
    const { exitCode, stdout, stderr } = await run(['hide', '--json'])
    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout)).toEqual({
      error: 'No wrapper of this user is running. Start it and try again.',
      code: 'ERR_PIPE_NOT_FOUND',
      advice: expect.stringContaining('service-pipe hide --start'),
      docs: docsUrlOf('ERR_PIPE_NOT_FOUND'),
    })
    expect(stderr).toContain('[ERR_PIPE_NOT_FOUND]')
  })

  test('a refusal has the wrapper’s own code', async () => {
    await using server = await startServer(
      withVersion(socket => reply(socket, '{"error":"Nobody is signed in.","code":"ERR_NOT_SIGNED_IN"}')),
    )
    const { stdout } = await runOn(server, 'getlistofusers', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ code: 'ERR_PIPE_REFUSED', commandcode: 'ERR_NOT_SIGNED_IN' })
  })
})

describe('--classic', () => {
  test('drives a wrapper without a record, by its process id, and names this program to it', async () => {
    await using server = await startServer(answering)
    const { pid, brand, requests } = server
    const person = ['customid=A-1', 'firstname=Åse', 'lastname=Berg']
    const args = ['selectperson', ...person, '--pid', String(pid), '--pipe-prefix', brand.pipePrefix]
    expect(await run([...args, '--classic'], { prefix: null })).toMatchObject({ exitCode: 0 })
    expect(requests.at(-1)?.Args).toMatchObject({ firstname: 'Åse', source: expect.stringMatching(/./) })
    const connections = server.connectionCount()
    const elsewhere = [...args, '--vendor', 'nobody', '--timeout', '0.2']
    expect(await run(elsewhere, { prefix: null })).toMatchObject({ exitCode: 3 })
    expect(server.connectionCount()).toBe(connections)
  })
})
