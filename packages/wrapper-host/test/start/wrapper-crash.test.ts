import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { CrashError } from '../../src/start/failed-start.ts'
import { fakeEngine } from '../support/fake-engine.ts'

/** A wrapper with an own provider, and the lines of its log. */
async function crashingWrapper(provide: () => void) {
  const folder = await temporaryFolder()
  const userFolder = join(folder.path, 'user')
  const notices: string[] = []
  const wrapper = createWrapper({
    brand: defineBrand({ pipePrefix: `crash${process.pid}`, appUrl: 'https://app.acme.example/' }),
    engine: fakeEngine(),
    folders: { applicationRoot: folder.path, userFolder },
    providers: {
      'Acme.Component, Acme': {
        async provide() {
          provide()
          return { commands: [] }
        },
      },
    },
    onNotice: sentence => void notices.push(sentence),
  })
  return {
    notices,
    start: (signal?: AbortSignal) =>
      wrapper.start(
        { id: 'crash', argv: ['provider=Acme.Component, Acme'], workingDirectory: folder.path },
        signal ? { signal } : {},
      ),
    async crashes() {
      const text = await readFile(join(userFolder, 'logs', 'wrapper.log'), 'utf8')
      const lines = text.trimEnd().split('\n')
      return lines.map(line => JSON.parse(line)).filter(({ event }) => event === 'crashed')
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

const crash = () => new CrashError(new TypeError('Kari Nordmann'))
const told = [expect.objectContaining({ level: 'error', kind: 'TypeError' })]

test('a wrapper closed by an uncaught failure logs it once', async () => {
  await using crashing = await crashingWrapper(() => undefined)
  const start = await crashing.start()
  if (start.role !== 'wrapper') throw new Error('Another wrapper runs.')
  await Promise.all([start.wrapper.close(crash()), start.wrapper.close(crash())])
  expect(await crashing.crashes()).toEqual(told)
  expect(crashing.notices.join()).not.toContain('Nordmann')
})

test('one aborted by it during the start logs it, too', async () => {
  const ending = new AbortController()
  await using crashing = await crashingWrapper(() => ending.abort(crash()))
  await expect(crashing.start(ending.signal)).rejects.toMatchObject({
    code: 'ERR_CRASHED',
    kind: 'TypeError',
    message: expect.not.stringContaining('Nordmann'),
  })
  expect(await crashing.crashes()).toEqual(told)
})

test('one closed in order logs no crash', async () => {
  await using crashing = await crashingWrapper(() => undefined)
  const start = await crashing.start()
  if (start.role !== 'wrapper') throw new Error('Another wrapper runs.')
  await start.wrapper.close()
  expect(await crashing.crashes()).toEqual([])
})
