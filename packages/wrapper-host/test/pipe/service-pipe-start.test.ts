import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { browserProcesses } from '@service-link/test-kit/processes'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { installedExecutable } from '../support/installed-executable.ts'
import { servicePipeCommand } from '../support/service-pipe.ts'
import { type TrustedNode, trustedNode } from '../support/trusted-node.ts'

const limit = { timeout: 60_000 }

let node: TrustedNode

/** Runs `service-pipe` to its end. */
async function run(env: NodeJS.ProcessEnv, ...args: string[]) {
  const [file = '', ...argv] = servicePipeCommand
  const child = spawn(file, [...argv, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise(resolve => child.on('exit', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exitCode: await exited, stdout, stderr }
}

describe.skipIf(!hasBrowser || process.platform === 'win32')('service-pipe --start', () => {
  beforeAll(async () => {
    node = await trustedNode()
  })
  afterAll(() => node?.[Symbol.asyncDispose]())

  test('3 when none is installed, with advice', async () => {
    await using wrapper = await installedExecutable(node)
    const { exitCode, stdout, stderr } = await run(wrapper.environment, 'version', '--start')
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toMatch(
      / \[ERR_PIPE_NOT_INSTALLED\]\n→ Install the wrapper, start \S+ once by hand, and repeat/,
    )
  })

  test('starts the installed wrapper, which continues; the next call finds that one', async () => {
    await using wrapper = await installedExecutable(node)
    const { environment, profileFolder } = wrapper
    await wrapper.note()
    expect(await run(environment, 'version')).toMatchObject({ exitCode: 3, stdout: '' })
    const started = await run(environment, 'version', '--start')
    expect(started).toEqual({ exitCode: 0, stdout: '"3.0.0.0"\n', stderr: '' })
    const [{ pid }] = JSON.parse((await run(environment, 'list')).stdout)
    try {
      const status = await run(environment, 'status', '--start')
      expect(status).toMatchObject({ exitCode: 0, stderr: '' })
      expect(JSON.parse(status.stdout)).toMatchObject({ pid, version: '3.0.0.0' })
    } finally {
      expect(await run(environment, 'close')).toEqual({ exitCode: 0, stdout: 'null\n', stderr: '' })
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), limit)
      await vi.waitFor(async () => expect(await browserProcesses(profileFolder)).toEqual([]), limit)
    }
    expect(await run(environment, 'list')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
  })
})
