import { connect, type Socket } from 'node:net'
import type { WrapperRecord } from '@service-link/protocol-core'
import { decodeJson, encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'

/** Limits of {@link connectProven}. */
export interface ProveOptions {
  /** Longest wait in milliseconds for the connection and the proof together. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Reason for a missing connection: `absent`, no process listens; `dropped`, the connection ended before the answer;
 * `silent`, no answer in time; `denied`, this process may not write to the wrapper, as to one with administrator rights;
 * `unproven`, the answer is wrong.
 */
export type ProofFailure = 'absent' | 'dropped' | 'silent' | 'denied' | 'unproven'

/** A connection whose wrapper has proven itself. It sends nothing before a request. */
export interface ProvenConnection {
  readonly socket: Socket
  /** Sets the reader of all bytes. It gets them as part of a buffer that the next bytes overwrite. */
  readWith(reader: (bytes: Uint8Array) => void): void
}

/** Outcome of {@link connectProven}. */
export type ProofOutcome =
  | ProvenConnection
  | { readonly failure: ProofFailure; readonly systemCode?: string | undefined }

/** Far more than an answer needs. */
const maxAnswerBytes = 1024

/** Codes for an address without a listener: no socket or pipe, or one that a killed process left. */
const absentCodes = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR'])

/** Bytes of the connection that reads at this moment. A reader copies the bytes that it keeps. */
let readBuffer: Uint8Array | undefined

/** Connects without the stream's own buffers, which frames do not need. The next bytes overwrite those that `receive` gets. */
export function connectReading(address: string, receive: (bytes: Uint8Array) => void): Socket {
  readBuffer ??= Buffer.allocUnsafeSlow(64 * 1024)
  const callback = (byteCount: number, buffer: Uint8Array) => {
    receive(buffer.subarray(0, byteCount))
    return true
  }
  return connect({ path: address, onread: { buffer: readBuffer, callback } })
}

/**
 * Connects to the private address of a wrapper, and has it prove that it holds the key of its record. Sends only the first
 * secret.
 */
export function connectProven(
  { address, key }: Pick<WrapperRecord, 'address' | 'key'>,
  { timeoutMs, signal }: ProveOptions,
): Promise<ProofOutcome> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const decoder = new FrameDecoder({ maxFrameBytes: maxAnswerBytes })
    let receive = readAnswer
    const socket = connectReading(address, bytes => receive(bytes))
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
        // A wrapper sends nothing more before a request.
        answer = rest.length > 0 || decoder.isInsideFrame ? undefined : Object(decodeJson(body)).answer
      } catch {
        // No frame, or no JSON: it proves nothing.
      }
      if (answer === key.answer) {
        release()
        receive = () => {}
        const readWith = (reader: (bytes: Uint8Array) => void) => {
          receive = reader
        }
        resolve({ socket, readWith })
      } else fail('unproven')
    }

    socket.on('connect', () => {
      // Windows also opens a pipe that this user may only read.
      if (socket.writable) socket.write(encodeFrame(JSON.stringify({ ask: key.ask })))
      else fail('denied')
    })
    // The listener stays: a connection may break later, and its owner listens for the end alone.
    socket.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      if (code === 'EACCES' || code === 'EPERM') fail('denied', code)
      else fail(absentCodes.has(code) ? 'absent' : 'dropped', code)
    })
    socket.on('close', onClose)
  })
}
