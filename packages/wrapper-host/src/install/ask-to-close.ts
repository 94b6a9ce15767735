import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import {
  encodeFrame,
  FrameDecoder,
  isHelloProof,
  maxReplyFrameBytes,
  pipeKeyBytes,
  readSessionMessage,
  readSessionResult,
  type SessionMessage,
  sessionProtocol,
  writeSessionRequest,
} from '@service-link/protocol-core'
import { authenticateWith } from '../pipe/authenticate-with.ts'

/** Whose pipe is asked. */
export interface AskToCloseOptions {
  readonly address: string
  /** The process that the pipe's name tells. */
  readonly pid: number
  /** What a wrapper of this user proves itself with. */
  readonly key: Uint8Array
  /** Longest wait for its answers, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Asks a wrapper to close, once it has proven to be this user's: an administrator may write to everybody's pipe, and would close the
 * wrappers of others.
 *
 * @returns whether it was this user's, and was asked. Never rejects
 */
export function askToClose({ address, pid, key, timeoutMs }: AskToCloseOptions): Promise<boolean> {
  const challenge = randomBytes(pipeKeyBytes).toString('base64url')
  return new Promise(resolve => {
    const socket = connect(address)
    const decoder = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
    let wasAsked = false
    const timer = setTimeout(finish, timeoutMs)

    function finish(): void {
      clearTimeout(timer)
      resolve(wasAsked)
      socket.destroy()
    }

    function isProven(message: SessionMessage): boolean {
      if (message.type !== 'result') return false
      const hello = readSessionResult('hello', message.result)
      return (
        isHelloProof(hello, { pid, challenge }, authenticateWith(key)) && hello.protocol === sessionProtocol
      )
    }

    function take(message: SessionMessage): void {
      if (wasAsked || !isProven(message)) finish()
      else {
        wasAsked = true
        socket.write(encodeFrame(writeSessionRequest(2, 'close')))
      }
    }

    socket.on('connect', () => socket.write(encodeFrame(writeSessionRequest(1, 'hello', { challenge }))))
    socket.on('data', (chunk: Uint8Array) => {
      try {
        for (const body of decoder.push(chunk)) take(readSessionMessage(body))
      } catch {
        finish()
      }
    })
    socket.on('error', finish)
    socket.on('close', finish)
  })
}
