import { expect, test } from 'vitest'
import { transactionSeal } from './log-in-routes.ts'

const transaction = {
  state: 'the-state',
  nonce: 'the-nonce',
  codeVerifier: 'the-verifier',
  startedAt: 1_767_225_600,
}
const secret = 'a-secret-of-thirty-two-characters!'
const at = (time: string) => () => new Date(`2026-01-01T${time}Z`)

test('every process with the same secret opens what another one sealed; nothing of it is readable', async () => {
  const sealed = await transactionSeal(secret).seal(transaction)
  expect(await transactionSeal(secret).open(sealed)).toEqual(transaction)
  expect(Buffer.from(sealed.replaceAll('.', ''), 'base64url').toString('latin1')).not.toMatch(
    /the-(state|nonce|verifier)/,
  )
})

test('what another secret sealed, or was changed, is not opened', async () => {
  const sealed = await transactionSeal(secret).seal(transaction)
  expect(await transactionSeal(`${secret}2`).open(sealed)).toBeUndefined()
  for (const place of [0, 40, 60, sealed.length - 3]) {
    const changed = sealed.slice(0, place) + (sealed[place] === 'A' ? 'B' : 'A') + sealed.slice(place + 1)
    expect(await transactionSeal(secret).open(changed)).toBeUndefined()
  }
})

test('a log-in may take ten minutes and not longer', async () => {
  const sealed = await transactionSeal(secret, at('12:00:00')).seal(transaction)
  expect(await transactionSeal(secret, at('12:09:59')).open(sealed)).toEqual(transaction)
  expect(await transactionSeal(secret, at('12:10:00')).open(sealed)).toBeUndefined()
})
