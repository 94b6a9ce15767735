import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { connect } from 'node:net'
import {
  encodeFrame,
  FrameDecoder,
  type HelloReply,
  helloProofText,
  readSessionMessage,
  readSessionResult,
  writeSessionRequest,
} from '@service-link/protocol-core'

/** Longest wait for the answer, in milliseconds. */
const answerTimeoutMs = 4000

/** An answer to `hello` is far shorter. */
const maxFrameBytes = 64 * 1024

/**
 * Asks whoever answers on a pipe to prove to be this user's wrapper, as clients do where the operating system does not tell whose a
 * pipe is (design: pipe protocol).
 *
 * @param pid of the pipe's name
 * @param key of this user
 * @returns whether it did; not when it did not answer
 */
export function askProof(address: string, pid: number, key: Uint8Array): Promise<boolean> {
  const challenge = randomBytes(32).toString('base64url')
  return new Promise(resolve => {
    const socket = connect(address)
    const decoder = new FrameDecoder({ maxFrameBytes })
    const timer = setTimeout(() => finish(false), answerTimeoutMs)

    function finish(isProven: boolean): void {
      clearTimeout(timer)
      resolve(isProven)
      socket.destroy()
    }

    socket.on('connect', () => socket.write(encodeFrame(writeSessionRequest(1, 'hello', { challenge }))))
    socket.on('data', (chunk: Uint8Array) => {
      try {
        const [body] = decoder.push(chunk)
        if (body) finish(isProof(readHello(body), pid, challenge, key))
      } catch {
        finish(false)
      }
    })
    socket.on('error', () => finish(false))
    socket.on('close', () => finish(false))
  })
}

function readHello(body: Uint8Array): HelloReply | undefined {
  const message = readSessionMessage(body)
  return message.type === 'result' ? readSessionResult('hello', message.result) : undefined
}

function isProof(hello: HelloReply | undefined, pid: number, challenge: string, key: Uint8Array): boolean {
  if (hello?.pid !== pid) return false
  const text = helloProofText({ protocol: hello.protocol, pid, challenge })
  const expected = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(hello.proof ?? '', 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
