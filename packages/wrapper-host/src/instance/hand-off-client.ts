import { connect } from 'node:net'
import { type CommandErrorCode, ServiceLinkError } from '@service-link/protocol-core/errors'
import {
  decodeJson,
  encodeFrame,
  FrameDecoder,
  maxRequestFrameBytes,
} from '@service-link/protocol-core/frame'
import {
  type HandOffOutcome,
  type HandOffProof,
  type HandOffRequest,
  readHandOffAnswer,
} from './hand-off-message.ts'
import { InstanceAccessError } from './instance-access-error.ts'

/** Options of {@link handOff}. */
export interface HandOffOptions {
  /** Longest wait in milliseconds for the wrapper to accept or refuse. Default 30,000. */
  readonly acceptTimeoutMs?: number
  /** Longest wait in milliseconds, after that, for the end of a launch that waits. Default 300,000. */
  readonly endTimeoutMs?: number
  /** What a wrapper at this address has to know before the launch is sent. Default: nothing, as nobody else can sit there. */
  readonly proof?: HandOffProof
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

/** A wrapper that is slower than this to prove itself is taken for none, and is tried again while it holds the instance. */
const proofTimeoutMs = 5000

/** With this code a wrapper that is exiting refuses what it has not taken yet. */
const closingCode = 'ERR_CLOSING' satisfies CommandErrorCode

/**
 * Gives a launch to the wrapper that runs. The fast path of a second start: nothing is imported here that it does not need.
 *
 * A wrapper carries a launch out only when its answer is on the way to this process, which reads what was written before a
 * connection's end. So without an answer nothing was done, and nothing will be; and after one the launch is never offered
 * again.
 *
 * @returns how it ended, or `undefined` when no wrapper is there, or it went away before it answered, or is exiting and did
 *   not take the launch: it may then be offered again under the same id
 * @throws {HandOffTimeoutError} when a wrapper is there and does not answer
 * @throws {HandOffLostError} when the wrapper took a launch that waits, and went away before its end
 * @throws {HandOffWaitError} when the wrapper took a launch that waits, and does not tell its end
 * @throws {InstanceAccessError} when a wrapper is there and this process may not reach it
 */
export function handOff(
  address: string,
  request: HandOffRequest,
  options: HandOffOptions = {},
): Promise<HandOffOutcome | undefined> {
  const { acceptTimeoutMs: timeoutMs = 30_000, endTimeoutMs = 300_000, proof } = options
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    const decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes })
    let isAccepted = false
    let isProven = proof === undefined
    const proving = isProven ? undefined : setTimeout(gone, proofTimeoutMs)
    let timer = setTimeout(() => finish(() => reject(new HandOffTimeoutError(timeoutMs))), timeoutMs)
    const abort = () => finish(() => reject(options.signal?.reason))
    options.signal?.addEventListener('abort', abort, { once: true })

    function gone(): void {
      finish(() => (isAccepted ? reject(new HandOffLostError()) : resolve(undefined)))
    }

    function finish(settle: () => void): void {
      clearTimeout(timer)
      clearTimeout(proving)
      options.signal?.removeEventListener('abort', abort)
      settle()
      // Not before: a process that has nothing more to do ends in between, and need not take the connection apart.
      setImmediate(() => socket.destroy())
    }

    function send(message: object): void {
      try {
        socket.write(encodeFrame(JSON.stringify(message), { maxFrameBytes: maxRequestFrameBytes }))
      } catch (error) {
        finish(() => reject(error))
      }
    }

    socket.on('connect', () => {
      // Windows lets a process without administrator rights read from the pipe of one that has them, no more.
      if (!socket.writable) return finish(() => reject(new InstanceAccessError('elevated-wrapper')))
      send(proof ? { ask: proof.ask } : request)
    })
    socket.on('data', (chunk: Uint8Array) => {
      try {
        for (const body of decoder.push(chunk)) {
          if (!isProven) {
            if (proof?.answer !== readProof(body)) return gone()
            isProven = true
            clearTimeout(proving)
            send(request)
            continue
          }
          const answer = readHandOffAnswer(decodeJson(body))
          if (!answer) return gone()
          clearTimeout(timer)
          const isTaken = isAccepted || answer.status !== 'refused' || answer.code !== closingCode
          isAccepted ||= answer.status === 'accepted'
          if (!isTaken) return finish(() => resolve(undefined))
          if (answer.status !== 'accepted' || !answer.waits) return finish(() => resolve(answer))
          timer = setTimeout(() => finish(() => reject(new HandOffWaitError(endTimeoutMs))), endTimeoutMs)
        }
      } catch (error) {
        if (isProven) finish(() => reject(error))
        else gone()
      }
    })
    socket.on('error', error => {
      const isRefused = 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
      if (isRefused) finish(() => reject(new InstanceAccessError('elevated-wrapper')))
      else gone()
    })
    socket.on('close', gone)
    if (options.signal?.aborted) abort()
  })
}

function readProof(body: Uint8Array): unknown {
  const message = decodeJson(body)
  return typeof message === 'object' && message !== null && 'answer' in message ? message.answer : undefined
}
