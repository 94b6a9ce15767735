import type { AuditEntry } from '@service-link/receiver'
import { expect, test } from 'vitest'
import { watchedAuditLog } from './receiver-stores.ts'

const entry: AuditEntry = {
  at: new Date(),
  requestId: 'r',
  event: 'post',
  outcome: 'ERR_PAYLOAD_SHAPE',
  partnerId: 'p',
  organizationId: undefined,
  accountId: undefined,
  employeeDigest: undefined,
}

test('an entry that cannot be kept is told, and fails as before', async () => {
  const failure = new TypeError('no')
  const told: unknown[] = []
  const log = watchedAuditLog({ record: () => Promise.reject(failure) }, error => told.push(error))
  await expect(log.record(entry)).rejects.toBe(failure)
  expect(told).toEqual([failure])
})

test('its end waits for entries that are being written', async () => {
  const { promise: written, resolve: write } = Promise.withResolvers<void>()
  const log = watchedAuditLog({ record: () => written }, () => {})
  const recording = log.record(entry)
  let isEnded = false
  const ended = log[Symbol.asyncDispose]().then(() => {
    isEnded = true
  })
  await Promise.resolve()
  expect(isEnded).toBe(false)
  write()
  await Promise.all([ended, recording])
})
