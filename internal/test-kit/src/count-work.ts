import { vi } from 'vitest'

const node = process.getBuiltinModule('node:crypto')

/** Counts the verifications of signatures, by Node's crypto and by WebCrypto. */
export function countVerifications(): () => number {
  const spies = [vi.spyOn(crypto.subtle, 'verify'), vi.spyOn(node, 'verify'), vi.spyOn(node, 'createVerify')]
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

/** Counts the JSON texts of a token's parts that are parsed. The test runner parses JSON, too. */
export function countParsed(token: string): () => readonly string[] {
  const parse = vi.spyOn(JSON, 'parse')
  const own = new Set(token.split('.').map(part => Buffer.from(part, 'base64url').toString()))
  return () => parse.mock.calls.map(([text]) => text).filter(text => own.has(text))
}
