import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { encodeFrame } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { createMemoryWebApp } from '../src/testing/memory-web-app.ts'
import { startTestWrapper } from '../src/testing/start-test-wrapper.ts'
import { partnerLanguages, run } from './_interop-programs.ts'
import { startInteropServer } from './_interop-server.ts'

const program = fileURLToPath(new URL('../../../docs/examples/python/session.py', import.meta.url))
const leftOut = partnerLanguages.find(({ name }) => name === 'Python')?.leftOut
const pid = String(process.pid)

describe.skipIf(leftOut !== undefined)(`the session in Python${leftOut ?? ''}`, () => {
  test('asks twice at a time, is told of a person, and ends with the wrapper', async () => {
    await using wrapper = await startTestWrapper({
      version: '3.1.4.1',
      webApp: createMemoryWebApp({
        users: [{ id: 8, customId: 'Å-8', firstname: 'Kåre', lastname: 'Nordmann' }],
      }),
    })
    const child = spawn('python3', ['-W', 'error', program, pid], {
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const next = async () => (await lines.next()).value
    expect(await next()).toBe('session 3.1.4.1')
    expect(await next()).toBe('1 users, signed in')
    wrapper.selectInPage({ customId: 'Å-8', firstname: 'Kåre', lastname: 'Nordmann' })
    const told = (await next()) ?? ''
    expect(told).toMatch(/^event personselected /)
    expect(JSON.parse(told.slice(told.indexOf('{')))).toMatchObject({
      firstname: 'Kåre',
      lastname: 'Nordmann',
    })
    await wrapper.close()
    expect(await next()).toBe('event closing null')
    expect(await next()).toBeUndefined()
    expect(await ended).toEqual([0, null])
  })

  test.each([
    ['a failure of the classic mode', '{"error":"There is no such command.","code":"ERR_METHOD"}'],
    ['text', '3.0.0.0'],
    ['a failure of the session mode', '{"Id":1,"Error":{"Code":"ERR_METHOD","Message":"No."}}'],
    ['a result that is none of hello', '{"Id":1,"Result":true}'],
    ['nothing', ''],
  ])('falls back to the classic mode where hello is answered with %s', async (_title, answer) => {
    await using server = await startInteropServer(socket => {
      const isFirst = server.received.length === 1
      socket.end(isFirst ? answer && encodeFrame(answer) : encodeFrame('2.1.4.19787'))
    })
    const end = await run('python3', ['-W', 'error', program, pid])
    expect(end).toEqual({ exitCode: 0, output: 'classic 2.1.4.19787\n', errors: '' })
    expect(server.received.map(bytes => bytes.subarray(4).toString())).toEqual([
      '{"Id":1,"Method":"hello","Args":{}}',
      '{"Method":"version"}',
    ])
  })
})
