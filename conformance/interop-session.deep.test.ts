import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { partnerLanguages, run } from '../internal/test-kit/src/partner-programs.ts'
import { createMemoryWebApp } from '../packages/wrapper-host/src/testing/memory-web-app.ts'
import { startTestWrapper } from '../packages/wrapper-host/src/testing/start-test-wrapper.ts'
import { startInteropServer } from './support/interop-server.ts'

const program = fileURLToPath(new URL('./python/session.py', import.meta.url))
const leftOut = partnerLanguages.find(({ name }) => name === 'Python')?.leftOut

describe.skipIf(leftOut !== undefined)(`the session in Python${leftOut ?? ''}`, () => {
  test('makes two concurrent calls, gets an event of a person, and ends with the wrapper', async () => {
    await using wrapper = await startTestWrapper({
      version: '3.1.4.1',
      webApp: createMemoryWebApp({
        users: [{ id: 8, customId: 'Å-8', firstname: 'Kåre', lastname: 'Nordmann' }],
      }),
    })
    const env = { ...process.env, SERVICE_WRAPPER_DATA: wrapper.folders.userFolder }
    const child = spawn('python3', ['-W', 'error', program], {
      env,
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

  test('asks nothing of a process that does not prove to be the wrapper', async () => {
    await using server = await startInteropServer(() => {}, { answer: 'c'.repeat(64) })
    const { exitCode, output, errors } = await run('python3', ['-W', 'error', program])
    expect({ exitCode, output }).toEqual({ exitCode: 3, output: '' })
    expect(errors).toContain('This is not the wrapper of the record.')
    expect(server.received.map(({ length }) => length)).toEqual([0])
  })
})
