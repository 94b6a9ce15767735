import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Brand, pipeAddress } from '@service-link/protocol-core/brand'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectWrapper, type WrapperClient } from '../../src/index.ts'
import {
  areInstalled,
  type ClassicOnlyProcess,
  fileHere,
  startClassicOnly,
} from '../support/classic-only-process.ts'

// The server in Python uses a Unix socket, and Mono has no pipes of Windows.
const hasPython = process.platform !== 'win32' && areInstalled('python3')
const hasMono = process.platform !== 'win32' && areInstalled('mono', 'mcs')

const callCount = 250
const soon = { timeout: 60_000 }

/** Starts the server in Python. */
function startPython({ manner = 'keeps', unknown = 'close' } = {}) {
  return startClassicOnly('python3', brand => [
    fileHere('classic-only-server.py'),
    pipeAddress(brand, 0, process.platform, tmpdir()).slice(0, -1),
    manner,
    unknown,
  ])
}

/** Line that the server prints for one call. */
function requestOf(number: number): string {
  return number % 5 === 4 ? `openworkout\t${number}` : `getlistofusers\tperson-${number}`
}

/** Makes one call. Each call and each reply differs from all others. */
async function callNumber(client: WrapperClient, number: number): Promise<void> {
  if (number % 5 === 4) return client.openWorkout(number)
  const customId = `person-${number}`
  expect(await client.getListOfUsers({ customId })).toEqual([{ id: customId.length, customId }])
}

/** Lines of the server, without the first question for its version. */
function commandsIn(server: ClassicOnlyProcess): string[] {
  return server.requests.filter(line => line.startsWith('get') || line.startsWith('open'))
}

/** Makes all calls, with a given number at a time. */
async function callAll(client: WrapperClient, atATime: number): Promise<void> {
  const numbers = Array.from({ length: callCount }, (_, index) => index).values()
  const worker = async () => {
    for (const number of numbers) await callNumber(client, number)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}

const expected = Array.from({ length: callCount }, (_, index) => requestOf(index)).toSorted()

describe.each([1, 16])('250 calls, %i at a time, reach a server with one client at a time', atATime => {
  async function expectNoLoss(server: ClassicOnlyProcess): Promise<void> {
    const { brand, pid } = server
    const client = await connectWrapper({ brand, pid, mode: 'classic' })
    await callAll(client, atATime)
    await vi.waitFor(() => expect(commandsIn(server).length).toBeGreaterThanOrEqual(callCount), soon)
    expect(commandsIn(server).toSorted()).toEqual(expected)
  }

  test.runIf(hasPython)('that keeps its pipe [4.5-envelope]', async () => {
    await using server = await startPython()
    await expectNoLoss(server)
  })

  test.runIf(hasPython)('that makes its pipe anew for each client [4.5-envelope]', async () => {
    await using server = await startPython({ manner: 'recreates' })
    await expectNoLoss(server)
  })

  describe.runIf(hasMono)('in C#', () => {
    const assembly = join(tmpdir(), `classic-only-${process.pid}-${atATime}.exe`)
    beforeAll(() => {
      const { status, stdout } = spawnSync(
        'mcs',
        ['-r:System.Core.dll', `-out:${assembly}`, fileHere('classic-only-server.cs')],
        { encoding: 'utf8' },
      )
      if (status !== 0) throw new Error(`The server in C# was not compiled: ${stdout}`)
    })
    afterAll(() => rmSync(assembly, { force: true }))

    test('that has one instance of its pipe, anew for each client [4.5-envelope]', async () => {
      await using server = await startClassicOnly('mono', (brand: Brand) => [assembly, brand.pipePrefix])
      await expectNoLoss(server)
    })
  })
})

test.runIf(hasPython)(
  'a server that wants the name of the program gets it, and its reply is a success',
  async () => {
    await using server = await startPython()
    const { brand, pid } = server
    const kari = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
    const statusOf = async (source: { readonly source?: string }, person: object = {}) => {
      await using client = await connectWrapper({ brand, pid, mode: 'classic', ...source })
      return await client.selectPerson({ ...kari, ...person })
    }
    expect(await statusOf({})).toEqual({ status: expect.stringMatching(/^OK [\w.-]+$/) })
    const { execPath } = process
    try {
      // The next word of a packed program is an argument, perhaps a person's.
      process.execPath = join('opt', 'Bundesjournal')
      expect(await statusOf({})).toEqual({ status: 'OK Bundesjournal' })
    } finally {
      process.execPath = execPath
    }
    expect(await statusOf({ source: 'Acme Journal' })).toEqual({ status: 'OK Acme Journal' })
    expect(await statusOf({ source: 'Acme Journal' }, { source: 'Ward 3' })).toEqual({ status: 'OK Ward 3' })
  },
)
