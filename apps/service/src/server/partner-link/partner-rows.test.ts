import { expect, test } from 'vitest'
import { createSecretSealer, SealedSecretError } from './partner-rows.ts'

const sealer = createSecretSealer('x'.repeat(32))

test('a sealed secret can be opened, and looks different each time', async () => {
  const [first, second] = [await sealer.seal('a', 'the secret'), await sealer.seal('a', 'the secret')]
  expect(first).not.toBe(second)
  expect(first).not.toContain(Buffer.from('the secret').toString('base64url'))
  expect(await sealer.unseal('a', first)).toBe('the secret')
})

test.each([
  ['with another key', createSecretSealer('y'.repeat(32)), 'a', (sealed: string) => sealed],
  ['for another partner', sealer, 'b', (sealed: string) => sealed],
  ['after it was changed', sealer, 'a', (sealed: string) => sealed.replace(/.{4}$/, 'AAAA')],
  ['when it is none', sealer, 'a', () => 'the secret'],
])('it cannot be opened %s', async (_name, opener, partnerId, change) => {
  const sealed = change(await sealer.seal('a', 'the secret'))
  await expect(opener.unseal(partnerId, sealed)).rejects.toThrow(SealedSecretError)
})
