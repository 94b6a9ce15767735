import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import {
  encodeFrame,
  FrameDecoder,
  type HelloReply,
  isHelloProof,
  pipeKeyBytes,
  readClassicReply,
  readSessionMessage,
  readSessionResult,
  writeSessionRequest,
} from '@service-link/protocol-core'
import { authenticateWith } from '../pipe/authenticate-with.ts'

/**
 * `wrong`: it answered, and not as this user's wrapper does. `unanswered`: it did not, was too busy, or is about to exit; whose it is
 * is not known.
 */
export type ProofOutcome = 'proven' | 'wrong' | 'unanswered'

/** Reads the key by which wrappers prove whose they are; nothing when there is none. */
export type ReadKey = () => Uint8Array | undefined

/** Longest wait for the answer, in milliseconds. */
const answerTimeoutMs = 4000

/** An answer to `hello` is far shorter. */
const maxFrameBytes = 64 * 1024

/** What a wrapper of anybody may say in place of an answer, of either mode. */
const passing: ReadonlySet<unknown> = new Set(['ERR_BUSY', 'ERR_CLOSING'])

/**
 * Asks whoever answers on a pipe to prove to be this user's wrapper, as clients do where the operating system does not tell whose a
 * pipe is (design: pipe protocol).
 *
 * @param pid of the pipe's name
 * @param readKey of this user; called once the answer is there, which the wrapper has made with the key of that moment
 * @returns never rejects
 */
export function askProof(address: string, pid: number, readKey: ReadKey): Promise<ProofOutcome> {
  const challenge = randomBytes(pipeKeyBytes).toString('base64url')
  return new Promise(resolve => {
    const socket = connect(address)
    const decoder = new FrameDecoder({ maxFrameBytes })
    const timer = setTimeout(() => finish('unanswered'), answerTimeoutMs)

    function finish(outcome: ProofOutcome): void {
      clearTimeout(timer)
      resolve(outcome)
      socket.destroy()
    }

    socket.on('connect', () => socket.write(encodeFrame(writeSessionRequest(1, 'hello', { challenge }))))
    socket.on('data', (chunk: Uint8Array) => {
      try {
        const [body] = decoder.push(chunk)
        if (body) finish(outcomeOf(readAnswer(body), { pid, challenge }, readKey))
      } catch {
        finish('wrong')
      }
    })
    socket.on('error', () => finish('unanswered'))
    socket.on('close', () => finish('unanswered'))
  })
}

/** @throws when it is no message of either mode */
function readAnswer(body: Uint8Array): HelloReply | { readonly code: unknown } {
  try {
    const message = readSessionMessage(body)
    if (message.type === 'result') return readSessionResult('hello', message.result)
    if (message.type === 'failure') return message.failure
  } catch {
    // A failure of the classic mode, perhaps.
  }
  const outcome = readClassicReply('hide', body)
  return { code: outcome.isFailure ? outcome.failure.code : undefined }
}

function outcomeOf(
  answer: ReturnType<typeof readAnswer>,
  expected: { readonly pid: number; readonly challenge: string },
  readKey: ReadKey,
): ProofOutcome {
  if ('code' in answer) return passing.has(answer.code) ? 'unanswered' : 'wrong'
  try {
    const key = readKey()
    if (!key) return 'unanswered'
    return isHelloProof(answer, expected, authenticateWith(key)) ? 'proven' : 'wrong'
  } catch {
    // The key cannot be read at this moment.
    return 'unanswered'
  }
}
