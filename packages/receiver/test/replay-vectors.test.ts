import { readFileSync } from 'node:fs'
import { registeredKey, vectors as tokens, vectorToken } from '@service-link/test-kit/payload-vectors'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createPartnerDirectory, partnerRegistrationSchema } from '../src/index.ts'
import { createTestReceiver, post } from './support/receiver.ts'

const fileSchema = z.object({
  vectors: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      input: z.object({
        keys: z.array(z.string()),
        policy: z.enum(['strict', 'lenient']),
        repeatable: z.optional(z.boolean()),
        posts: z.array(z.object({ token: z.string(), at: z.iso.datetime() })),
      }),
      expect: z.object({ outcomes: z.array(z.string()) }),
    }),
  ),
})

const file = new URL('../../../conformance/vectors/payload-replay.json', import.meta.url)
const { vectors } = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
const refusalSchema = z.object({ code: z.string() })

function tokenOf(id: string): string {
  const vector = tokens.find(candidate => candidate.id === id)
  if (!vector) throw new Error(`There is no vector ${id}.`)
  return vectorToken(vector)
}

test.for(vectors)(
  'conformance/vectors/payload-replay.json: $name ($id)',
  async ({ input: { keys, policy, repeatable = false, posts }, expect: expected }) => {
    const registration = { id: 'partner', name: 'Partner', policy, repeatable, keys: keys.map(registeredKey) }
    let at = ''
    const clock = () => new Date(at)
    at = posts[0]?.at ?? ''
    const partners = await createPartnerDirectory([partnerRegistrationSchema.parse(registration)], { clock })
    const receiver = await createTestReceiver({ partners, clock })
    const outcomes: string[] = []
    for (const { token, at: time } of posts) {
      at = time
      const response = await receiver.receive(post(tokenOf(token), { accept: 'application/json' }))
      outcomes.push(response.ok ? 'taken' : refusalSchema.parse(await response.json()).code)
    }
    expect(outcomes).toEqual(expected.outcomes)
  },
)
