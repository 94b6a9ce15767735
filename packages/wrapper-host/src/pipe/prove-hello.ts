import { createHmac } from 'node:crypto'
import { type HelloReply, helloProofText } from '@service-link/protocol-core'
import { readPipeKey } from './pipe-key.ts'

/**
 * Adds to the answer to `hello` the proof that a client has asked for (design: pipe protocol).
 *
 * @param keyFile of the wrapper's user
 * @param challenge as the client sent it
 * @returns the answer as it was when there is no key, or no challenge
 */
export function proveHello(
  hello: HelloReply,
  keyFile: string | undefined,
  challenge: string | null | undefined,
): HelloReply {
  const key = keyFile === undefined || !challenge ? undefined : readPipeKey(keyFile)
  if (!key || !challenge) return hello
  const text = helloProofText({ protocol: hello.protocol, pid: hello.pid, challenge })
  return { ...hello, proof: createHmac('sha256', key).update(text).digest('base64url') }
}
