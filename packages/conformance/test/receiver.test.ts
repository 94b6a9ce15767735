import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

test('a receiver that does not know the partner is told once', async () => {
  await using service = await startTestService()
  const key = { ...service.signing, kid: 'nobody' }
  const target = {
    role: 'receiver',
    address: service.audience,
    issuer: 'https://nobody.example',
    key,
  } as const
  const faults = ['The receiver knows no partner for this key, kid and issuer.']
  expect(failuresOf(await runConformance(target))).toEqual({
    'takes-a-payload': expect.arrayContaining(faults),
  })
})

test('a limit that lasts is a fault with its status', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(429, { 'retry-after': '0.01' }).end(),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/partner/payload`
    const target = { role: 'receiver', address, key: { kind: 'pkcs8', pem } } as const
    const { scenarios } = await runConformance(target, { only: ['takes-a-payload'] })
    expect(scenarios[0]?.faults).toContain('The status: 429, not 200.')
  } finally {
    server.close()
  }
})
