import { listen } from '@service-link/service'
import { createPartnerKey } from '@service-link/service/testing'
import { expect, test } from 'vitest'
import { createPartner } from './create-partner.ts'

/** An address whose ports nobody else takes meanwhile, where the system has one without being told. */
const host = process.platform === 'linux' ? '127.0.0.83' : '127.0.0.1'

test('a start that fails leaves its port free', async () => {
  const { port, close } = await listen({ host, port: 0 })
  await close()
  const key = await createPartnerKey()
  const replacePartners = async () => undefined
  await expect(createPartner({ serviceUrl: 'nonsense', key, host, port, replacePartners })).rejects.toThrow(
    'Invalid URL',
  )
  const again = await listen({ host, port })
  expect(again.port).toBe(port)
  await again.close()
})
