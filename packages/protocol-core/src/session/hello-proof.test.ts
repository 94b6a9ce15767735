import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { loadVectors } from '../../test/_vectors.ts'
import { type HelloProofInput, helloProofText, pipeKeyBytes } from './hello-proof.ts'

const vectors = loadVectors<HelloProofInput & { readonly keyHex: string }, { readonly proof: string }>(
  'hello-proof.json',
)

test.each(vectors)('$id: $name', ({ input, expect: expected }) => {
  const key = Buffer.from(input.keyHex, 'hex')
  expect(key).toHaveLength(pipeKeyBytes)
  expect(createHmac('sha256', key).update(helloProofText(input)).digest('base64url')).toBe(expected?.proof)
})
