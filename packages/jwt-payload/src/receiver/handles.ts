import { base64url } from 'jose'

const handleBytes = 32
const encoder = new TextEncoder()

/** A handle that nobody guesses, 256 random bits as base64url, and the digest that stores keep of it. */
export interface Handle {
  readonly handle: string
  readonly handleDigest: string
}

/** Makes a handle. */
export async function createHandle(): Promise<Handle> {
  const handle = base64url.encode(crypto.getRandomValues(new Uint8Array(handleBytes)))
  return { handle, handleDigest: await digestOf(handle) }
}

/** Whether a text could be a handle: what could not is not looked for. */
export function isHandle(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** SHA-256 of a text, base64url. */
export async function digestOf(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
}

/**
 * Random bits for a Content-Security-Policy nonce, which should have 128 of them: two UUIDs of 122 each. Runtimes make UUIDs in
 * batches; asking for 16 bytes each time takes a post longer than all its headers.
 */
export function createNonce(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`
}
