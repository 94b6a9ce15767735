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
