import { connect, type Socket } from 'node:net'
import { decodeJson, encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
import type { WrapperRecord } from './wrapper-record.ts'

/** Limits of {@link connectProven}. */
export interface ProveOptions {
  /** Longest wait in milliseconds for the connection and the proof together. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Why there is no proven connection: `absent`, nobody listens; `dropped`, the connection ended before the answer; `silent`,
 * no answer in time; `denied`, this process may not write to it, as to a wrapper with administrator rights; `unproven`, the
 * answer is wrong.
 */
export type ProofFailure = 'absent' | 'dropped' | 'silent' | 'denied' | 'unproven'

/** What came of {@link connectProven}. */
export type ProofOutcome =
  | { readonly socket: Socket }
  | { readonly failure: ProofFailure; readonly systemCode?: string | undefined }

/** The answer is far shorter. */
const maxAnswerBytes = 1024

/** Nobody listens: no such socket or pipe, or one that a killed process has left. */
const absentCodes = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR'])

/** Bytes of the connection that reads at this moment. A reader copies what it keeps. */
let readBuffer: Uint8Array | undefined

/**
 * Connects to the private address of a wrapper, and has it prove that it holds the key of its record. Sends nothing but the
 * first secret.
 *
 * @param onRead gets all bytes after the proof, as part of a buffer that the next bytes overwrite
 * @throws the signal's reason when it aborts
 */
export function connectProven(
  { address, key }: Pick<WrapperRecord, 'address' | 'key'>,
  onRead: (bytes: Uint8Array) => void,
  { timeoutMs, signal }: ProveOptions,
): Promise<ProofOutcome> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    readBuffer ??= Buffer.allocUnsafeSlow(64 * 1024)
    const decoder = new FrameDecoder({ maxFrameBytes: maxAnswerBytes })
    let take = readAnswer
    const callback = (byteCount: number, buffer: Uint8Array) => {
      take(buffer.subarray(0, byteCount))
      return true
    }
    // Past the stream's own buffers, which frames do not need.
    const socket = connect({ path: address, onread: { buffer: readBuffer, callback } })
    const timer = setTimeout(() => fail('silent'), timeoutMs)
    const abort = () => {
      release()
      socket.destroy()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })

    function release(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      socket.off('close', onClose)
    }

    function fail(failure: ProofFailure, systemCode?: string): void {
      release()
      socket.destroy()
      resolve({ failure, systemCode })
    }

    function onClose(): void {
      fail('dropped')
    }

    function readAnswer(bytes: Uint8Array): void {
      let answer: unknown
      try {
        const [body, ...rest] = decoder.push(bytes)
        if (!body) return
        // A wrapper says nothing more before it is asked.
        answer = rest.length > 0 || decoder.isInsideFrame ? undefined : Object(decodeJson(body)).answer
      } catch {
        answer = undefined
      }
      if (answer === key.answer) {
        release()
        take = onRead
        resolve({ socket })
      } else fail('unproven')
    }

    socket.on('connect', () => {
      // Windows opens a pipe that this user may only read.
      if (socket.writable) socket.write(encodeFrame(JSON.stringify({ ask: key.ask })))
      else fail('denied')
    })
    // Stays attached: a connection may break later, which its owner learns by its end.
    socket.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      if (code === 'EACCES' || code === 'EPERM') fail('denied', code)
      else fail(absentCodes.has(code) ? 'absent' : 'dropped', code)
    })
    socket.on('end', () => take === readAnswer && fail('dropped'))
    socket.on('close', onClose)
  })
}
