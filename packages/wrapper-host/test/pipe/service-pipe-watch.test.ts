import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bundleProgram } from '@service-link/test-kit/bundle-program'
import { describe, expect, test } from 'vitest'
import { startTestWrapper, type TestWrapper } from '../../src/testing/index.ts'
import { request } from '../support/pipe.ts'

const limit = { timeout: 60_000, interval: 5 }
const kari = { customId: '4711', userId: 12, firstname: 'Kari', lastname: 'Nordmann' } as const
const program = new URL('cli/service-pipe.ts', import.meta.resolve('@service-link/pipe-client'))

/** Starts `service-pipe watch` in a separate process, and waits until it watches. */
async function watch({ pid, brand, folders: { userFolder } }: TestWrapper) {
  const { name, vendor, application, pipePrefix } = brand
  const ofBrand = ['--brand-name', name, '--vendor', vendor, '--application', application]
  const argv = ['watch', '--pid', String(pid), ...ofBrand, '--pipe-prefix', pipePrefix]
  const child = spawn(process.execPath, [await bundleProgram(program), ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SERVICE_WRAPPER_DATA: userFolder },
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', text => {
      written[name] += text
    })
  const said = `Watching process ${pid}. Ctrl+C ends it.\n`
  await expect.poll(() => written.stderr, limit).toBe(said)
  return {
    child,
    lines: () => written.stdout.split('\n').slice(0, -1),
    /** Expects the end in order, with nothing more on standard error. */
    async endsInOrder() {
      expect([...(await once(child, 'close')), written.stderr]).toEqual([0, null, said])
    },
  }
}

describe('service-pipe watch', () => {
  test('prints a line of JSON for each event, until the wrapper exits: 0', async () => {
    await using wrapper = await startTestWrapper({ webApp: { openWorkout: async () => undefined } })
    const { lines, endsInOrder } = await watch(wrapper)
    const events = [
      () => wrapper.selectInPage(kari),
      () => request(wrapper.pipeAddress, { Method: 'openworkout', Args: { id: 17 } }),
      () => wrapper.signOut(),
      () => wrapper.signIn(),
    ]
    for (const [index, happen] of events.entries()) {
      await happen()
      await expect.poll(() => lines().length, limit).toBe(index + 1)
    }
    await Promise.all([endsInOrder(), wrapper.close()])
    const data = { userid: 12, customid: '4711', firstname: 'Kari', lastname: 'Nordmann' }
    expect(lines().map(line => JSON.parse(line))).toEqual([
      { event: 'personselected', data: { ...data, focusnumber: 1 } },
      { event: 'workoutopened', data: { id: 17 } },
      { event: 'signedout', data: { reason: 'user' } },
      { event: 'signedin', data: null },
      { event: 'closing', data: null },
    ])
  })

  test.runIf(process.platform !== 'win32').each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends it in order: 0, and the wrapper continues',
    async signal => {
      await using wrapper = await startTestWrapper()
      const { child, lines, endsInOrder } = await watch(wrapper)
      child.kill(signal)
      await endsInOrder()
      expect(lines()).toEqual([])
      expect(await request(wrapper.pipeAddress, { Method: 'getlistofusers' })).toEqual(['[]'])
    },
  )
})
