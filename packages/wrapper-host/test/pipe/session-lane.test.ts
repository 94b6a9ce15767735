import { expect, test } from 'vitest'
import { createMemoryWebApp, startTestWrapper } from '../../src/testing/index.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 2 }

function select(customid: string) {
  return { Id: customid, Method: 'selectperson', Args: { customid, firstname: 'Kari', lastname: 'Nordmann' } }
}

/** A wrapper whose web app ends a selection when the test says so, and a list of beginnings and ends. */
async function startSlow() {
  const log: string[] = []
  const waiting: (() => void)[] = []
  const webApp = createMemoryWebApp()
  const wrapper = await startTestWrapper({
    webApp: {
      ...webApp,
      async selectPerson(person) {
        log.push(`begin ${person.customId}`)
        await new Promise<void>(resolve => waiting.push(resolve))
        log.push(`end ${person.customId}`)
        return webApp.selectPerson(person)
      },
    },
  })
  const endNext = async () => {
    await expect.poll(() => waiting.length, limit).toBe(1)
    waiting.shift()?.()
  }
  return { wrapper, log, endNext }
}

test('a canceled or orphaned selection ends before the next begins: the last one is in focus', async () => {
  const { wrapper, log, endNext } = await startSlow()
  await using _wrapper = wrapper
  const [first, gone, last] = await Promise.all([1, 2, 3].map(() => openSessionPipe(wrapper.pipeAddress)))
  if (!first || !gone || !last) throw new Error('No connection.')
  first.send(select('A'))
  await expect.poll(() => log.length, limit).toBe(1)
  await first.ask('c', 'cancel', { id: 'A' })
  expect((await first.answer('A')).Error?.Code).toBe('ERR_CANCELLED')
  gone.send(select('B'))
  await gone.ask('v', 'version')
  last.send(select('C'))
  await last.ask('v', 'version')
  await endNext()
  await expect.poll(() => log.length, limit).toBe(3)
  gone.socket.destroy()
  await endNext()
  await endNext()
  expect(await last.answer('C')).toMatchObject({ Result: { customid: 'C' } })
  expect(log).toEqual(['begin A', 'end A', 'begin B', 'end B', 'begin C', 'end C'])
  const status = await last.ask('s', 'status')
  expect(status.Result).toMatchObject({ person: { customid: 'C' } })
  for (const { socket } of [first, last]) socket.destroy()
})

test('a connection with 64 selections in flight delays another’s by one', async () => {
  const { wrapper, log, endNext } = await startSlow()
  await using _wrapper = wrapper
  const [many, few] = await Promise.all([1, 2].map(() => openSessionPipe(wrapper.pipeAddress)))
  if (!many || !few) throw new Error('No connection.')
  many.send(...Array.from({ length: 64 }, (_, index) => select(`many ${index}`)))
  await expect.poll(() => log.length, limit).toBe(1)
  few.send(select('few'))
  await few.ask('v', 'version')
  await endNext()
  await endNext()
  expect(await few.answer('few')).toMatchObject({ Result: { customid: 'few' } })
  expect(log.filter(entry => entry.startsWith('end'))).toEqual(['end many 0', 'end few'])
  for (const { socket } of [many, few]) socket.destroy()
})
