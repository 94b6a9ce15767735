import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { loadVectors } from '../../test/_vectors.ts'
import { type HelloProofInput, helloProofText, isHelloProof, pipeKeyBytes } from './hello-proof.ts'

interface Input extends HelloProofInput {
  readonly keyHex: string
  /** Of an answer that is refused. */
  readonly pipePid?: number
  readonly proof?: string
}

const vectors = loadVectors<Input, { readonly proof: string }>('hello-proof.json')
const made = vectors.filter(({ expect: expected }) => expected)
const refused = vectors.filter(({ error }) => error)

const authenticateWith = (keyHex: string) => {
  const key = Buffer.from(keyHex, 'hex')
  expect(key).toHaveLength(pipeKeyBytes)
  return (text: string) => createHmac('sha256', key).update(text).digest('base64url')
}

test('the file has proofs that are made, and answers that are refused', () => {
  expect(made.length + refused.length).toBe(vectors.length)
  expect(refused.length).toBeGreaterThan(0)
})

describe('a proof', () => {
  test.each(made)('$id: $name', ({ input, expect: expected }) => {
    const authenticate = authenticateWith(input.keyHex)
    expect(authenticate(helloProofText(input))).toBe(expected?.proof)
    expect(isHelloProof({ ...input, ...expected }, input, authenticate)).toBe(true)
  })

  test.each(refused)('$id: $name', ({ input, error }) => {
    const pid = input.pipePid ?? input.pid
    expect(isHelloProof(input, { ...input, pid }, authenticateWith(input.keyHex))).toBe(false)
    expect(error).toEqual({ code: 'ERR_PIPE_UNPROVEN' })
  })

  test.each([null, undefined, ''])('is not %j', proof => {
    const [input] = made.map(vector => vector.input)
    if (!input) throw new Error('There is no vector.')
    expect(isHelloProof({ ...input, proof }, input, authenticateWith(input.keyHex))).toBe(false)
    expect(isHelloProof({ ...input, proof }, input, () => '')).toBe(false)
  })
})
