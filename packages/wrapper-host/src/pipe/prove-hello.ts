import { type HelloReply, helloProofText } from '@service-link/protocol-core'
import { authenticateWith } from './authenticate-with.ts'
import type { RememberedKey } from './remembered-key.ts'

/**
 * Adds to the answer to `hello` the proof that a client has asked for (design: pipe protocol).
 *
 * @param ownKey of the wrapper's user
 * @param challenge as the client sent it
 * @returns the answer as it was when there is no key, or no challenge
 * @throws {BusyError} when the key cannot be read at this moment
 */
export function proveHello(
  hello: HelloReply,
  ownKey: RememberedKey | undefined,
  challenge: string | null | undefined,
): HelloReply {
  const key = challenge ? ownKey?.read() : undefined
  if (!key || !challenge) return hello
  const text = helloProofText({ protocol: hello.protocol, pid: hello.pid, challenge })
  return { ...hello, proof: authenticateWith(key)(text) }
}
