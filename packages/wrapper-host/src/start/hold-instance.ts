import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { isAlive, readWrapperRecord, recordEnding } from '@service-link/pipe-client/running'
import type { WrapperRecord } from '@service-link/protocol-core'
import { instanceFileError, removeLeftover } from '../files/access.ts'
import { replaceFile } from '../files/whole-file.ts'
import type { TakeLaunch } from '../launch/launch-offers.ts'
import { wrapperVersion } from '../settings/wrapper-folders.ts'
import { tryLockInstance } from './instance-lock.ts'
import type { InstancePlace } from './instance-place.ts'
import type { PrivateServer, PrivateServerOptions } from './private-server.ts'

/** The right of this process to be the wrapper. It ends with {@link release} or with the process. */
export interface HeldInstance {
  /**
   * Begins to take launches of other processes, and publishes the record by which they find this one. Call it before any
   * window is created.
   */
  listen(take: TakeLaunch, options?: ListenOptions): Promise<void>
  /** Publishes the process id of the browser, if it is another one. Does nothing unless it listens. */
  noteBrowser(browserPid: number | undefined): void
  /** Takes no further launch, but keeps the instance: new processes wait for its release. */
  stopListening(): Promise<void>
  /** Takes no further launch and lets the next process be the wrapper. */
  release(): Promise<void>
}

interface ListenOptions extends Pick<PrivateServerOptions, 'serve' | 'onUnaccepted'> {
  /** The wrapper's version in its record. Default: this package's. */
  readonly version?: string
}

/** Tries to take the lock of an instance. Returns nothing when another process holds it. */
export function tryHoldInstance(place: InstancePlace): HeldInstance | undefined {
  const lock = tryLockInstance(place.lockFile)
  if (!lock) return undefined
  let server: PrivateServer | undefined
  let record: WrapperRecord | undefined
  let writing = Promise.resolve()
  return {
    async listen(take, { version = wrapperVersion, ...serving } = {}) {
      // Chosen anew at each start: another user can neither take the address beforehand nor reuse a secret.
      const address = place.hasRandomEnd ? place.address + randomDigits() : place.address
      const key = { ask: randomDigits(), answer: randomDigits() }
      // A process that finds the lock taken does not load the server and its schemas.
      const { PrivateServer } = await import('./private-server.ts')
      server = await PrivateServer.listen(address, { key, take, ...serving })
      record = { pid: process.pid, desktop: place.desktop, version, address, key }
      await publishRecord(place, record)
    },
    noteBrowser(browserPid) {
      if (!record || record.browserPid === browserPid) return
      record = { ...record, browserPid }
      const text = JSON.stringify(record)
      // The old record finds this wrapper as well.
      writing = writing.then(() => replaceFile(place.recordFile, text)).catch(() => undefined)
    },
    async stopListening() {
      record = undefined
      await writing
      if (server) await rm(place.recordFile, { force: true, maxRetries: 5 }).catch(() => undefined)
      await server?.[Symbol.asyncDispose]()
      server = undefined
    },
    async release() {
      await this.stopListening()
      lock[Symbol.dispose]()
    },
  }
}

function randomDigits(): string {
  return randomBytes(32).toString('hex')
}

/**
 * Writes the record by which other processes find this wrapper.
 *
 * @throws {PrivateFolderError} when the file cannot be written
 */
async function publishRecord(place: InstancePlace, record: WrapperRecord): Promise<void> {
  const former = readWrapperRecord(place.recordFile)
  if (former && former.address !== record.address) removeSocket(former)
  try {
    await replaceFile(place.recordFile, JSON.stringify(record))
  } catch (error) {
    throw instanceFileError(place.recordFile, 'the record', error)
  }
  await sweepRecords(place)
}

/** Removes the socket of an ended wrapper, whose lock this process holds. Windows has no files for pipes. */
function removeSocket({ address }: WrapperRecord): void {
  if (process.platform !== 'win32') removeLeftover(address)
}

/** Removes records and sockets of killed wrappers of other desktops. Their locks are held meanwhile, so that no new record is lost. */
async function sweepRecords({ privateFolder, recordFile }: InstancePlace): Promise<void> {
  try {
    const { readRecords } = await import('@service-link/pipe-client/records')
    for (const { file, record } of readRecords(privateFolder)) {
      if (file === recordFile || isAlive(record.pid)) continue
      using lock = tryLockInstance(`${file.slice(0, -recordEnding.length)}.lock`)
      if (!lock) continue
      removeSocket(record)
      rmSync(file, { force: true })
    }
  } catch {
    // All readers ignore a record that stays.
  }
}
