import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { startTestWrapper, type TestWrapper } from '../../src/testing/index.ts'
import { request } from '../support/pipe.ts'
import { argumentsFor, servicePipeCommand, startServicePipe } from '../support/service-pipe.ts'

const limit = { timeout: 60_000, interval: 5 }
const kari = { customId: '4711', userId: 12, firstname: 'Kari', lastname: 'Nordmann' } as const
const kariAsSent = { userid: 12, customid: '4711', firstname: 'Kari', lastname: 'Nordmann' }

/** Starts `service-pipe watch` and waits until it watches. */
async function watch(wrapper: TestWrapper, ...args: string[]) {
  const watching = startServicePipe(['watch', ...args, ...argumentsFor(wrapper)], wrapper)
  await watching.told(`Watching process ${wrapper.pid}. Ctrl+C ends it.`)
  return watching
}

describe('service-pipe watch', () => {
  test('prints a line of JSON for each event, until the wrapper exits: 0', async () => {
    await using wrapper = await startTestWrapper({ webApp: { openWorkout: async () => undefined } })
    const { lines, ended, written } = await watch(wrapper)
    wrapper.selectInPage(kari)
    await expect.poll(() => lines().length, limit).toBe(1)
    await request(wrapper.pipeAddress, { Method: 'openworkout', Args: { id: 17 } })
    await expect.poll(() => lines().length, limit).toBe(2)
    wrapper.signOut()
    await expect.poll(() => lines().length, limit).toBe(3)
    wrapper.signIn()
    await expect.poll(() => lines().length, limit).toBe(4)
    await wrapper.close()
    expect(await ended).toEqual({ exitCode: 0, signal: null })
    expect(lines()).toEqual([
      { event: 'personselected', data: kariAsSent },
      { event: 'workoutopened', data: { id: 17 } },
      { event: 'signedout', data: null },
      { event: 'signedin', data: null },
      { event: 'closing', data: null },
    ])
    expect(written.stderr).toBe(`Watching process ${wrapper.pid}. Ctrl+C ends it.\n`)
  })

  test.runIf(process.platform !== 'win32').each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends it in order: 0, and the wrapper continues',
    async signal => {
      await using wrapper = await startTestWrapper()
      const { child, ended, written } = await watch(wrapper)
      child.kill(signal)
      expect(await ended).toEqual({ exitCode: 0, signal: null })
      expect(written.stdout).toBe('')
      expect(written.stderr).toBe(`Watching process ${wrapper.pid}. Ctrl+C ends it.\n`)
      expect(await request(wrapper.pipeAddress, { Method: 'getlistofusers' })).toEqual(['[]'])
    },
  )

  test.runIf(process.platform !== 'win32')('as the first of a pipeline in a shell: | head -n 1', async () => {
    await using wrapper = await startTestWrapper()
    const script = '"$@" | head -n 1; echo "$PIPESTATUS"'
    const argv = ['-c', script, 'bash', ...servicePipeCommand, 'watch', ...argumentsFor(wrapper)]
    const shell = spawn('bash', argv, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SERVICE_WRAPPER_DATA: wrapper.folders.userFolder },
    })
    let errors = ''
    shell.stderr.setEncoding('utf8').on('data', chunk => {
      errors += chunk
    })
    const output = text(shell.stdout)
    await expect.poll(() => errors, limit).toContain('Watching process')
    const happening = setInterval(() => wrapper.selectInPage(kari), 10)
    try {
      await once(shell, 'close')
    } finally {
      clearInterval(happening)
    }
    const [line = '', exitCode] = (await output).split('\n')
    expect(JSON.parse(line)).toEqual({ event: 'personselected', data: kariAsSent })
    expect(exitCode).toBe('0')
    expect(errors).toBe(`Watching process ${wrapper.pid}. Ctrl+C ends it.\n`)
  })
})
