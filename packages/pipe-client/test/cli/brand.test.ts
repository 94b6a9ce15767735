import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { memoryTerminal } from '@service-link/command-line/testing'
import {
  type Brand,
  type BrandOptions,
  defineBrand,
  pipeKeyFileName,
  wrapperUserFolder,
} from '@service-link/protocol-core/brand'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runServicePipe } from '../../src/cli/run-service-pipe.ts'
import { uniqueBrand } from '../_classic-server.ts'
import { type SessionAnswer, startSessionServer } from '../_session-server.ts'
import { proofOf, untoldOwner } from '../_untold-owner.ts'

let data: string
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'service-pipe-brand-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(data, { recursive: true, force: true, maxRetries: 5 })
})

/** Each brand has a per-user folder of its own. */
async function untoldOwnerOfBrands() {
  const owner = await untoldOwner()
  // The owner puts it back.
  delete process.env.SERVICE_WRAPPER_DATA
  for (const name of ['LOCALAPPDATA', 'XDG_DATA_HOME', 'HOME']) vi.stubEnv(name, data)
  return owner
}

async function makeKeyOf(brand: Brand): Promise<Uint8Array> {
  const folder = wrapperUserFolder(brand, process.platform, process.env, homedir)
  const file = join(folder, pipeKeyFileName)
  const key = crypto.getRandomValues(new Uint8Array(32))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, key, { mode: 0o600 })
  return key
}

const answering =
  (key: Uint8Array): SessionAnswer =>
  (connection, request) => {
    const { Id, Method, Args } = request
    const hello = { protocol: 1, version: '3.0.0.0', pid: process.pid, capabilities: [] }
    if (Method === 'hello') connection.reply(request, { ...hello, proof: proofOf(key, Args?.challenge) })
    // Another connection than the one with the proof would be of no use to it.
    else if (Id !== undefined) connection.reply(request)
  }

const names: BrandOptions = { name: 'Acme', vendor: 'Acme Health', application: 'Acme.Wrapper' }
const { pipePrefix } = uniqueBrand()
const acme = defineBrand({ ...names, pipePrefix })
const ofAcme = ['--brand-name', 'Acme', '--vendor', 'Acme Health', '--application', 'Acme.Wrapper']
const setting = ['setcustomid', 'userid=5', 'customid=4711', '--pipe-prefix', pipePrefix]

async function run(argv: readonly string[]) {
  const terminal = memoryTerminal()
  const exitCode = await runServicePipe(argv, terminal)
  return { exitCode, told: terminal.told() }
}

describe('where the system does not tell whose pipe it is', () => {
  test('the key of the brand that is named is what counts, and not that of another brand', async () => {
    await using _owner = await untoldOwnerOfBrands()
    const key = await makeKeyOf(acme)
    const otherKey = await makeKeyOf(defineBrand())
    {
      await using server = await startSessionServer(answering(key), { brand: acme, answersAll: true })
      expect(await run([...setting, ...ofAcme])).toEqual({ exitCode: 0, told: '' })
      expect(server.methods()).toEqual(['hello', 'setcustomid'])
    }
    await using squatter = await startSessionServer(answering(otherKey), { brand: acme, answersAll: true })
    const { exitCode, told } = await run([...setting, ...ofAcme])
    expect({ exitCode, told }).toEqual({ exitCode: 4, told: expect.stringContaining('[ERR_PIPE_UNPROVEN]') })
    expect(squatter.methods()).toEqual(['hello'])
  })

  test.each([
    ['setcustomid', ...setting.slice(1)],
    ['hide', ...setting.slice(3)],
    ['status', ...setting.slice(3)],
  ])('the prefix alone tells no brand, and nobody is asked by %s', async (...argv) => {
    await using _owner = await untoldOwnerOfBrands()
    const key = await makeKeyOf(acme)
    await using server = await startSessionServer(answering(key), { brand: acme, answersAll: true })
    const { exitCode, told } = await run(argv)
    expect({ exitCode, told }).toEqual({
      exitCode: 2,
      told: expect.stringContaining('Give --brand-name as well'),
    })
    expect(server.connections).toHaveLength(0)
  })

  test('the prefix alone is enough for a list, which tells nobody anything', async () => {
    await using _owner = await untoldOwnerOfBrands()
    expect(await run(['list', '--pipe-prefix', pipePrefix])).toEqual({ exitCode: 0, told: '' })
  })
})

test('where it tells, the prefix alone is enough', async () => {
  await using _owner = await untoldOwner(true)
  await using server = await startSessionServer(answering(new Uint8Array(32)), {
    brand: acme,
    answersAll: true,
  })
  expect(await run(['status', '--pipe-prefix', pipePrefix])).toMatchObject({ exitCode: 4 })
  expect(server.methods()[0]).toBe('hello')
})
