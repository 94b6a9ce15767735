import { startTestService } from '@service-link/receiver/test-service'
import { expect, test } from 'vitest'
import { runConformance } from '../src/index.ts'
import { failuresOf } from './support/failures.ts'

test('the receiver of the test service conforms', async () => {
  await using service = await startTestService()
  const { audience: address, issuer, signing: key } = service
  const report = await runConformance({ role: 'receiver', address, issuer, key })
  expect(failuresOf(report)).toEqual({})
})
