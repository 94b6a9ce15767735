import { describe, expect, test } from 'vitest'
import type { Bridge } from '../bridge/bridge.ts'
import { CommandRunner, type OpenedWindow } from '../command/command-runner.ts'
import type { Provider } from '../providers/provider.ts'
import type { EngineWindow } from '../window/engine.ts'
import { LaunchQueue, type LaunchQueueOptions } from './launch-queue.ts'

const providerName = 'Test.Provider, Test'

/** A queue of one provider, whose launches are carried out at once. */
function queueOf(provide: Provider['provide'], options: Partial<LaunchQueueOptions> = {}) {
  const window: Pick<EngineWindow, 'show'> = { show: async () => undefined }
  const bridge: Pick<Bridge, 'state'> = { state: { isLoaded: true, isSignedIn: true } }
  const opened = Promise.resolve({ window, bridge } as unknown as OpenedWindow)
  const runner = new CommandRunner({ opened, version: '3.0.0.0', requestClose: () => undefined })
  const providers = new Map([[providerName, { provide }]])
  const queue = new LaunchQueue({
    runner,
    providers,
    defaultProvider: providerName,
    culture: 'en',
    ...options,
  })
  return { queue, runner }
}

const launch = (id: string, ...argv: string[]) => ({ id, argv, workingDirectory: '/' })

describe('LaunchQueue', () => {
  test('a signed payload, which no provider posts yet, is refused and not dropped', async () => {
    const { queue } = queueOf(async () => ({ commands: [] }))
    await expect(queue.take(launch('a', 'payload=a.b.c'))).rejects.toMatchObject({
      code: 'ERR_ARGS',
      issues: [{ path: 'payload', problem: 'is not supported by this wrapper yet' }],
    })
    await expect(queue.take(launch('b', 'payload='))).resolves.toMatchObject({ waits: false })
  })
})
