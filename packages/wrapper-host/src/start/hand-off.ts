// The fast path of a second launch: nothing is imported here that it does not need.
import { connectProven, readWrapperRecord, type WrapperRecord } from '@service-link/pipe-client/running'
import { type CommandErrorCode, ServiceLinkError } from '@service-link/protocol-core/errors'
import {
  decodeJson,
  encodeFrame,
  FrameDecoder,
  maxRequestFrameBytes,
} from '@service-link/protocol-core/frame'
import { checkPrivateFolder, checkUserFolder, InstanceAccessError } from '../files/access.ts'
import type { InstancePlace } from './instance-place.ts'

/** What a launching process sends, after the proof. */
export interface HandOffRequest {
  readonly launch: {
    readonly id: string
    readonly argv: readonly string[]
    readonly workingDirectory: string
  }
}

/** What a wrapper answers to a launch that was handed to it. */
export type HandOffAnswer =
  /** `waits`: the launch asked for it, so a second answer follows when the web app has taken its commands. */
  | { readonly status: 'accepted'; readonly pid: number; readonly waits: boolean }
  /** The launch waited, and the web app has taken all its commands. `notice`: what was left, such as a file that was not deleted. */
  | { readonly status: 'completed'; readonly notice?: string }
  | { readonly status: 'refused'; readonly code: string; readonly message: string }

/** How a hand-off ended, as the launching process sees it. */
export type HandOffOutcome = HandOffAnswer

/** Options of {@link handOff}. */
export interface HandOffOptions {
  /** Longest wait in milliseconds for the wrapper to accept or refuse. Default 30,000. */
  readonly acceptTimeoutMs?: number
  /** Longest wait in milliseconds, after that, for the end of a launch that waits. Default 300,000. */
  readonly endTimeoutMs?: number
  readonly signal?: AbortSignal
}

/** The running wrapper took the connection and then did not answer in time; whether it took the launch is not known. */
export class HandOffTimeoutError extends ServiceLinkError<'ERR_HAND_OFF_TIMEOUT'> {
  readonly code = 'ERR_HAND_OFF_TIMEOUT'
  readonly waitedMs: number

  constructor(waitedMs: number) {
    super(
      `The wrapper that runs did not answer within ${waitedMs} ms. Close it, or end its process, and start again.`,
    )
    this.waitedMs = waitedMs
  }
}

/** The wrapper took the launch and was gone before it told the end; whether the commands were carried out is not known. */
export class HandOffLostError extends ServiceLinkError<'ERR_HAND_OFF_LOST'> {
  readonly code = 'ERR_HAND_OFF_LOST'

  constructor() {
    super(
      'The wrapper took the launch and ended before it told whether the web app has its commands. Look there before you start it again.',
    )
  }
}

/** The wrapper took a launch that waits and has not told its end in time; it may still carry it out. */
export class HandOffWaitError extends ServiceLinkError<'ERR_WAIT_TIMEOUT'> {
  readonly code = 'ERR_WAIT_TIMEOUT'
  readonly waitedMs: number

  constructor(waitedMs: number) {
    super(
      `The wrapper took the launch, but the web app has not taken its commands within ${waitedMs} ms; it may still do so. Look there, perhaps for somebody to sign in, before you start it again.`,
    )
    this.waitedMs = waitedMs
  }
}

/** A wrapper that takes longer to prove itself counts as none. It is tried again while it holds the instance. */
const proofTimeoutMs = 5000

/** A wrapper that exits refuses with this code what it has not taken. */
const closingCode = 'ERR_CLOSING' satisfies CommandErrorCode

/**
 * Offers a launch to the wrapper that runs. Reads its record, and sends the launch only after the proof. Makes nothing.
 *
 * @returns how the hand-off ended, or `undefined` when no wrapper took it
 * @throws {PrivateFolderError} when the folder of the record is not this user's alone
 * @throws {InstanceAccessError} when the wrapper may not be reached from this process, or the per-user folder is another user's
 * @throws {HandOffTimeoutError} when the wrapper does not answer
 * @throws {HandOffLostError} when the wrapper took a launch that waits, and went away before its end
 * @throws {HandOffWaitError} when the wrapper took the launch, which waits for its end, and does not tell it
 */
export async function offerLaunch(
  place: InstancePlace,
  request: HandOffRequest,
  options: HandOffOptions = {},
): Promise<HandOffOutcome | undefined> {
  checkUserFolder(place.userFolder)
  if (!checkPrivateFolder(place.privateFolder)) return undefined
  const record = readWrapperRecord(place.recordFile)
  return record && handOff(record, request, options)
}

/**
 * Gives a launch to the wrapper of a record.
 *
 * A wrapper carries a launch out only when its answer is on the way to this process, which reads what was written before a
 * connection's end. So without an answer nothing was done, and nothing will be. After an answer the launch is never offered
 * again.
 *
 * @returns how it ended. `undefined` when no wrapper is there or it did not prove itself, or it went away before it
 *   answered, or is exiting: the launch may then be offered again under the same id
 * @throws as {@link offerLaunch} does
 */
export async function handOff(
  record: Pick<WrapperRecord, 'address' | 'key'>,
  request: HandOffRequest,
  options: HandOffOptions = {},
): Promise<HandOffOutcome | undefined> {
  const { acceptTimeoutMs = 30_000, endTimeoutMs = 300_000, signal } = options
  const frame = encodeFrame(JSON.stringify(request), { maxFrameBytes: maxRequestFrameBytes })
  let receive = (_bytes: Uint8Array) => {}
  const limits = { timeoutMs: Math.min(proofTimeoutMs, acceptTimeoutMs), signal }
  const proven = await connectProven(record, bytes => receive(bytes), limits)
  if ('failure' in proven) {
    if (proven.failure === 'denied') throw new InstanceAccessError('elevated-wrapper')
    return undefined
  }
  const { socket } = proven
  return new Promise((resolve, reject) => {
    const decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes })
    let isAccepted = false
    let timer = setTimeout(
      () => finish(() => reject(new HandOffTimeoutError(acceptTimeoutMs))),
      acceptTimeoutMs,
    )
    const abort = () => finish(() => reject(signal?.reason))
    signal?.addEventListener('abort', abort, { once: true })

    function gone(): void {
      finish(() => (isAccepted ? reject(new HandOffLostError()) : resolve(undefined)))
    }

    function finish(settle: () => void): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      settle()
      // Later: a process that has nothing more to do ends in between, and need not take the connection apart.
      setImmediate(() => socket.destroy())
    }

    receive = bytes => {
      try {
        for (const body of decoder.push(bytes)) {
          const answer = readAnswer(decodeJson(body))
          if (!answer) return gone()
          clearTimeout(timer)
          const isTaken = isAccepted || answer.status !== 'refused' || answer.code !== closingCode
          isAccepted ||= answer.status === 'accepted'
          if (!isTaken) return finish(() => resolve(undefined))
          if (answer.status !== 'accepted' || !answer.waits) return finish(() => resolve(answer))
          timer = setTimeout(() => finish(() => reject(new HandOffWaitError(endTimeoutMs))), endTimeoutMs)
        }
      } catch (error) {
        finish(() => reject(error))
      }
    }
    socket.on('error', gone)
    socket.on('close', gone)
    if (signal?.aborted) abort()
    else if (socket.destroyed) gone()
    else socket.write(frame)
  })
}

/** Reads an answer; `undefined` when it is none. Without a schema: the launching process must stay small and quick. */
function readAnswer(value: unknown): HandOffAnswer | undefined {
  if (typeof value !== 'object' || value === null || !('status' in value)) return undefined
  if (value.status === 'completed')
    return { status: 'completed', ...('notice' in value ? { notice: String(value.notice) } : {}) }
  if (value.status === 'accepted' && 'pid' in value && typeof value.pid === 'number')
    return { status: 'accepted', pid: value.pid, waits: 'waits' in value && value.waits === true }
  if (value.status !== 'refused' || !('code' in value) || !('message' in value)) return undefined
  return { status: 'refused', code: String(value.code), message: String(value.message) }
}

/**
 * Makes the id of one launch: a UUID of version 8 (RFC 9562, 5.8). It holds the time in milliseconds, the process id and 42
 * random bits, so that two processes of one machine never make the same. Unique, and no secret: loading `node:crypto` would
 * cost a second start more than all the rest of its work.
 *
 * @param nowMs milliseconds since 1970
 * @param pid 32 bits
 */
export function makeLaunchId(nowMs: number = Date.now(), pid: number = process.pid): string {
  const time = hex(nowMs, 12)
  const random = [hex(randomBits(12), 3), hex(0x8000 + randomBits(14), 4), hex(randomBits(16), 4)]
  return `${time.slice(0, 8)}-${time.slice(8)}-8${random[0]}-${random[1]}-${hex(pid, 8)}${random[2]}`
}

function randomBits(bits: number): number {
  return Math.floor(Math.random() * 2 ** bits)
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0').slice(-digits)
}
