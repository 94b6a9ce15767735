import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connectProven } from '@service-link/pipe-client/running'
import { defaultBrand, type Launch, type WrapperRecord } from '@service-link/protocol-core'
import { encodeFrame } from '@service-link/protocol-core/frame'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import type { WrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import type { LaunchTicket } from '../../src/launch/launch-offers.ts'
import { claimInstance } from '../../src/start/claim-instance.ts'
import { type InstancePlace, locateInstance } from '../../src/start/instance-place.ts'

/** A key that differs from all random ones. */
export const testKey: WrapperRecord['key'] = { ask: 'b'.repeat(64), answer: 'c'.repeat(64) }

/** No process has this id. */
export const deadPid = 2_147_483_644

/** Makes the socket file of a server that ended without removing it. */
export async function leaveSocket(path: string): Promise<void> {
  const server = createServer().listen(`${path}.`)
  await once(server, 'listening')
  await rename(`${path}.`, path)
  server.close()
  await once(server, 'close')
}

/**
 * A new place for an instance.
 *
 * @param below the per-user folder in the new one. Default: the new one itself
 */
export async function newPlace(changes: Partial<InstancePlace> = {}, below = '') {
  const folder = await temporaryFolder()
  const userFolder = join(folder.path, below)
  await mkdir(userFolder, { recursive: true, mode: 0o700 })
  const options = { application: 'Test.Wrapper', userFolder, environment: {} }
  const place: InstancePlace = { ...locateInstance(options), ...changes }
  return {
    place,
    folder: folder.path,
    /** Publishes the record of a killed wrapper. */
    async publish(address: string, pid: number = process.pid, key = testKey) {
      await mkdir(place.privateFolder, { recursive: true, mode: 0o700 })
      const record = { pid, desktop: '', version: '3.0.0.0', address, key }
      await writeFile(place.recordFile, JSON.stringify(record), { mode: 0o600 })
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** A claim of the first wrapper at a place, released at the end of the scope. */
export async function claimAsWrapper(place: InstancePlace) {
  const claim = await claimInstance(place, { launch: { id: randomUUID(), argv: [], workingDirectory: '/' } })
  if (claim.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
  return Object.assign(claim, { [Symbol.asyncDispose]: () => claim.release() })
}

/** A launch that was taken and does not wait. */
export const taken: LaunchTicket = { waits: false, completed: Promise.resolve({}) }

/** A first wrapper at a place, which keeps its launches. */
export async function wrapperAt(place: InstancePlace) {
  const claim = await claimAsWrapper(place)
  const launches: Launch[] = []
  await claim.listen(async launch => {
    launches.push(launch)
    return taken
  })
  return { launches, [Symbol.asyncDispose]: () => claim.release() }
}

/** The place of an executable's instance. */
export function placeOf({ data, command }: Pick<WrapperExecutable, 'data' | 'command'>): InstancePlace {
  const { application } = defaultBrand
  return locateInstance({ application, userFolder: data, environment: command().environment })
}

/** Connects to a private server with a proof. Later bytes go to `bytes`. */
export async function dialProven(address: string, key = testKey) {
  const bytes: Uint8Array[] = []
  const outcome = await connectProven({ address, key }, { timeoutMs: 60_000 })
  if ('failure' in outcome) throw new Error(`There is no proven connection: ${outcome.failure}`)
  outcome.readWith(chunk => bytes.push(new Uint8Array(chunk)))
  return { socket: outcome.socket, bytes }
}

/** The frame of the answer that proves a wrapper. */
export const provingFrame = encodeFrame(JSON.stringify({ answer: testKey.answer }))
