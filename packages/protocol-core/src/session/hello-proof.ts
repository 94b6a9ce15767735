import type { HelloReply } from './session-method.ts'

/** Bytes of the key by which a wrapper proves whose it is: all that its file holds (design: pipe protocol). */
export const pipeKeyBytes = 32

/** What a proof begins with, so that it is of no use for anything else. */
const label = 'service-link hello proof'

/** What a proof is made for. */
export interface HelloProofInput extends Pick<HelloReply, 'protocol' | 'pid'> {
  /** As the client sent it. */
  readonly challenge: string
}

/**
 * Writes what a wrapper authenticates to prove in its answer to `hello` that it is this user's: the proof is the HMAC-SHA256 of
 * this text as UTF-8, under the bytes of the file `pipe.key` in the per-user folder, as base64url without padding.
 *
 * The process id keeps a proof from serving on the pipe of another process, to which somebody between could pass it on.
 *
 * @returns four lines: a fixed text, the version of the session mode, the process id and the challenge; none after the last
 * @example
 * ```ts
 * import { createHmac } from 'node:crypto'
 * import { helloProofText } from '@service-link/protocol-core'
 *
 * const key = new Uint8Array(32) // what the file pipe.key holds
 * const text = helloProofText({ protocol: 1, pid: 4711, challenge: 'A'.repeat(43) })
 * createHmac('sha256', key).update(text).digest('base64url') // 43 characters
 * ```
 */
export function helloProofText({ protocol, pid, challenge }: HelloProofInput): string {
  return [label, protocol, pid, challenge].join('\n')
}

/** Whose answer to `hello` is expected. */
export interface ExpectedHello {
  /** Process id in the name of the pipe. */
  readonly pid: number
  /** What `hello` was sent with. */
  readonly challenge: string
}

/**
 * Tells whether an answer to `hello` proves that it comes from the wrapper of this user which is a certain process. Whether the
 * program speaks the version that it tells is another question, which is asked after this one.
 *
 * @param authenticate the HMAC-SHA256 of a text as UTF-8 under the user's key, as base64url without padding
 * @returns false when the proof is missing, or is another text: one with padding, or in another alphabet, is no proof
 * @example
 * ```ts
 * import { createHmac } from 'node:crypto'
 * import { isHelloProof } from '@service-link/protocol-core'
 *
 * const key = new Uint8Array(32) // what the file pipe.key holds
 * const hello = { protocol: 1, pid: 4711, proof: 'what the wrapper sent' }
 * const expected = { pid: 4711, challenge: 'A'.repeat(43) }
 * isHelloProof(hello, expected, text => createHmac('sha256', key).update(text).digest('base64url')) // false
 * ```
 */
export function isHelloProof(
  { protocol, pid, proof }: Pick<HelloReply, 'protocol' | 'pid' | 'proof'>,
  expected: ExpectedHello,
  authenticate: (text: string) => string,
): boolean {
  if (pid !== expected.pid || !proof) return false
  return isSameText(proof, authenticate(helloProofText({ protocol, pid, challenge: expected.challenge })))
}

/** Takes as long whichever characters differ, so that nobody finds a proof by trying one after the other. */
function isSameText(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let index = 0; index < expected.length; index++)
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index)
  return difference === 0
}
