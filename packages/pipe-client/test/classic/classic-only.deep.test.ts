import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectWrapper, type WrapperClient } from '../../src/index.ts'
import { uniqueBrand } from '../support/pipe-places.ts'
import { runHere } from '../support/service-pipe.ts'

// Mono has no pipes of Windows. CI on Linux must have it.
const lacksMono = ['mono', 'mcs'].some(program => spawnSync(program, ['--version']).error)
const hasMono = process.platform !== 'win32' && (Boolean(process.env.CI) || !lacksMono)

const callCount = 250
const soon = { timeout: 60_000 }
const assembly = join(tmpdir(), `classic-only-${process.pid}.exe`)

beforeAll(() => {
  if (!hasMono) return
  const source = fileURLToPath(new URL('../support/classic-only-server.cs', import.meta.url))
  const { status, stdout } = spawnSync('mcs', ['-r:System.Core.dll', `-out:${assembly}`, source], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The server in C# was not compiled: ${stdout}`)
})
afterAll(() => rmSync(assembly, { force: true }))

/** Starts a server in C#, written from the protocol page alone, and waits until its pipe exists. */
async function startCSharp() {
  const brand = uniqueBrand()
  const child = spawn('mono', [assembly, brand.pipePrefix], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'close')
  const lines = createInterface(child.stdout)
  const [first] = await Promise.race([once(lines, 'line'), exited])
  if (first !== 'listens') throw new Error(`Mono ended with ${first} before it listened.`)
  /** Requests so far, in order: method, tab, id. */
  const requests: string[] = []
  lines.on('line', line => requests.push(line))
  return {
    ...{ brand, pid: child.pid ?? 0, requests },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Line that the server prints for one call. */
function requestOf(number: number): string {
  return number % 5 === 4 ? `openworkout\t${number}` : `getlistofusers\tperson-${number}`
}

/** Makes one call. Each call and each reply differs from all others. */
async function callNumber(client: WrapperClient, number: number): Promise<void> {
  if (number % 5 === 4) return client.openWorkout(number)
  const customId = `person-${number}`
  expect(await client.getListOfUsers({ customId })).toMatchObject([{ id: customId.length, customId }])
}

/** Lines of the server, without the first question for its version. */
function commandsIn(requests: readonly string[]): string[] {
  return requests.filter(line => line.startsWith('get') || line.startsWith('open'))
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

test.runIf(hasMono).each([1, 16])(
  '[4.5-envelope] 250 calls, %i at a time, reach a server with one client at a time',
  async atATime => {
    await using server = await startCSharp()
    const { brand, pid, requests } = server
    const client = await connectWrapper({ brand, pid, mode: 'classic' })
    await callAll(client, atATime)
    await vi.waitFor(() => expect(commandsIn(requests).length).toBeGreaterThanOrEqual(callCount), soon)
    expect(commandsIn(requests).toSorted()).toEqual(expected)
  },
)

describe.runIf(hasMono)('a server of 2016, in C#', () => {
  test('[4.5-getlistofusers] [4.5-getworkoutsforclient] is read: lists of data, no date of the year 1', async () => {
    await using server = await startCSharp()
    const { brand, pid } = server
    await using client = await connectWrapper({ brand, pid, mode: 'classic' })
    expect(await client.getListOfUsers({ customId: 'A-1' })).toEqual([
      { id: 3, customId: 'A-1', firstname: 'Kåre', dateOfBirth: null },
    ])
    const nothing = { name: null, description: null, lastChangedAt: null, owner: 0, executor: 0 }
    expect(await client.getWorkoutsForClient({ userId: 5 })).toEqual([
      {
        ...{ id: 3, name: 'June', description: null, lastChangedAt: '2015-06-01T00:00:00', owner: 1 },
        ...{ executor: 5, exerciseCount: 1 },
        exercises: [{ id: 7, name: 'Squat', data: [[{ key: 'Weight', value: '10', unit: 'Kg' }], []] }],
      },
      { ...nothing, id: 4, exerciseCount: 0, exercises: null },
    ])
  })

  test('[4.5-selectperson] [4.5-openworkout] takes persons and commands without a reply, and tells what it does not know', async () => {
    await using server = await startCSharp()
    const { brand, pid } = server
    await using client = await connectWrapper({ brand, pid, mode: 'classic' })
    const person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
    expect(await client.selectPerson(person)).toEqual({ status: 'OK' })
    for (const id of [3, 0]) await client.openWorkout(id)
    for (const command of ['show', 'hide', 'log', 'close'] as const) await client[command]()
    await expect(client.setCustomId({ userId: 5, customId: 'A-1' })).rejects.toMatchObject({
      code: 'ERR_PIPE_REFUSED',
      message: expect.stringContaining("Method 'setcustomid' not supported."),
    })
    // The last reply can arrive before the line of its request, which comes through another pipe.
    await vi.waitFor(() => expect(server.requests.at(-1)).toMatch('setcustomid'), soon)
    expect(server.requests.slice(1)).toEqual([
      ...['selectperson\t4711', 'openworkout\t3', 'openworkout\t0', 'show\t', 'hide\t', 'log\t', 'close\t'],
      'setcustomid\tA-1',
    ])
  })

  test('[4.5-getworkoutsforclient] answers service-pipe', async () => {
    await using server = await startCSharp()
    const args = ['getworkoutsforclient', 'userid=5', '--classic', '--pid', String(server.pid)]
    const { exitCode, stdout } = await runHere(args, { prefix: server.brand.pipePrefix })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ exercises: [{ data: [[{ value: '10' }], []] }] }, { id: 4 }])
  })
})
