// The fast path of a second launch. Import only what it needs.
import { connectProven, grantForeground, readWrapperRecord } from '@service-link/pipe-client/running'
import type { HandOffOutcome, HandOffRequest, WrapperRecord } from '@service-link/protocol-core'
import { type CommandErrorCode, defineError, isObject } from '@service-link/protocol-core/errors'
import {
  decodeJson,
  encodeFrame,
  FrameDecoder,
  maxRequestFrameBytes,
} from '@service-link/protocol-core/frame'
import { checkPrivateFolder, checkUserFolder, InstanceAccessError } from '../files/access.ts'
import type { InstancePlace } from './instance-place.ts'

interface HandOffOptions {
  /** Longest wait in milliseconds for the wrapper to accept or refuse. Default 30,000. */
  readonly acceptTimeoutMs?: number
  /** Longest further wait in milliseconds for the end of a launch that waits. Default 300,000. */
  readonly endTimeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * The running wrapper took the connection and did not answer in time. It may have taken the launch.
 *
 * @remedy Close the wrapper that runs, or end its process, and start again. It may have taken the launch.
 * @retry after ending it
 * @seenBy user, partner's developer
 */
export class HandOffTimeoutError extends defineError('ERR_HAND_OFF_TIMEOUT', (waitedMs: number) => ({
  message: `The wrapper that runs did not answer within ${waitedMs} ms. Close it, or end its process, and start again.`,
  waitedMs,
})) {}

/**
 * The wrapper took the launch and ended before it reported the end. The commands may have been carried out.
 *
 * @remedy Look in the web app whether the commands were carried out.
 * @retry after a look at the web app
 * @seenBy user, partner's developer
 */
export class HandOffLostError extends defineError(
  'ERR_HAND_OFF_LOST',
  'The wrapper took the launch and ended before it told whether the web app has its commands. Look there before you start it again.',
) {}

/**
 * The wrapper took a launch that waits, and did not report its end in time. It may still carry the launch out.
 *
 * @remedy Look in the web app, perhaps for somebody to sign in.
 * @retry after a look at the web app
 * @seenBy user, partner's developer
 */
export class HandOffWaitError extends defineError(
  'ERR_WAIT_TIMEOUT',
  (waitedMs: number) => ({
    message: `The wrapper took the launch, but the web app has not taken its commands within ${waitedMs} ms; it may still do so. Look there, perhaps for somebody to sign in, before you start it again.`,
    waitedMs,
  }),
  'HandOffWaitError',
) {}

/** A wrapper that takes longer counts as absent. The claim asks it again while it holds the instance. */
const proofTimeoutMs = 5000

/** An exiting wrapper refuses launches with this code. */
const closingCode = 'ERR_CLOSING' satisfies CommandErrorCode

/**
 * Offers a launch to the wrapper that runs. Reads its record, and sends the launch only after the proof. Makes nothing. Returns
 * nothing when no wrapper took the launch.
 */
export async function offerLaunch(
  place: InstancePlace,
  request: HandOffRequest,
  options: HandOffOptions = {},
): Promise<HandOffOutcome | undefined> {
  checkUserFolder(place.userFolder)
  if (!checkPrivateFolder(place.privateFolder)) return undefined
  const record = readWrapperRecord(place.recordFile)
  if (!record) return undefined
  // The user has just started this process, so it has the right to.
  grantForeground(record)
  return handOff(record, request, options)
}

/**
 * Gives a launch to the wrapper of a record.
 *
 * A wrapper carries a launch out only after it has written its answer, which the operating system delivers even if the connection
 * ends. So without an answer nothing was done, and nothing will be. After an answer the launch is never offered again. Returns
 * nothing when no wrapper proved itself, or it ended or is exiting: the launch may be offered again under the same id.
 */
export async function handOff(
  record: Pick<WrapperRecord, 'address' | 'key'>,
  request: HandOffRequest,
  options: HandOffOptions = {},
): Promise<HandOffOutcome | undefined> {
  const { acceptTimeoutMs = 30_000, endTimeoutMs = 300_000, signal } = options
  const frame = encodeFrame(JSON.stringify(request), { maxFrameBytes: maxRequestFrameBytes })
  const limits = { timeoutMs: Math.min(proofTimeoutMs, acceptTimeoutMs), signal }
  const proven = await connectProven(record, limits)
  if ('failure' in proven) {
    if (proven.failure === 'denied') throw new InstanceAccessError('elevated-wrapper')
    return undefined
  }
  const { socket, readWith } = proven
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
      // Later, because a process without further work exits first and saves the time.
      setImmediate(() => socket.destroy())
    }

    readWith(bytes => {
      try {
        for (const body of decoder.push(bytes)) {
          const answer = readAnswer(decodeJson(body))
          if (!answer) return gone()
          clearTimeout(timer)
          const isInUse = isAccepted || answer.status !== 'refused' || answer.code !== closingCode
          isAccepted ||= answer.status === 'accepted'
          if (!isInUse) return finish(() => resolve(undefined))
          if (answer.status !== 'accepted' || !answer.waits) return finish(() => resolve(answer))
          timer = setTimeout(() => finish(() => reject(new HandOffWaitError(endTimeoutMs))), endTimeoutMs)
        }
      } catch (error) {
        finish(() => reject(error))
      }
    })
    socket.on('error', gone)
    socket.on('close', gone)
    if (signal?.aborted) abort()
    else if (socket.destroyed) gone()
    else socket.write(frame)
  })
}

/** Reads what `handOffOutcomeSchema` reads. The schema would slow the launching process. */
export function readAnswer(value: unknown): HandOffOutcome | undefined {
  const { status, pid, waits, notice, focusNumber, code, message, docsUrl } = Object(value)
  const isText = (...texts: readonly unknown[]) => texts.every(text => typeof text === 'string')
  if (!isObject(value)) return undefined
  if (status === 'refused')
    return isText(code, message, docsUrl ?? '') ? { status, code, message, docsUrl } : undefined
  if (notice !== undefined && !isText(notice)) return undefined
  const noted = notice === undefined ? {} : { notice }
  if (status === 'completed')
    return { status, ...noted, ...(Number.isSafeInteger(focusNumber) ? { focusNumber } : {}) }
  const isAccepted =
    status === 'accepted' && Number.isSafeInteger(pid) && pid > 0 && typeof waits === 'boolean'
  return isAccepted ? { status, pid, waits, ...noted } : undefined
}

/**
 * Makes the id of a launch: a UUID of version 8 (RFC 9562, 5.8) of the time in milliseconds, the process id and 42 random bits.
 * Two processes of one machine never make the same id. The id is no secret, so `node:crypto` is not needed: loading it would take
 * longer than the rest of a second start.
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
