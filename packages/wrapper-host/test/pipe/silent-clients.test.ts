import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { dial, framesUntilClosed, request, servePipe } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000 }
const busy = expect.stringContaining('"ERR_BUSY"')
const version = (address: string) => request(address, { Method: 'version' })

test('a client is served even when silent connections hold all places', async () => {
  await using pipe = await servePipe(async () => [], { maxConnections: 3 })
  const silent: Socket[] = []
  while (silent.length < 3) silent.push(await dial(pipe.address))
  const [oldest, ...others] = silent
  const told = oldest && framesUntilClosed(oldest)
  expect(await version(pipe.address)).toEqual(['3.0.0.0'])
  expect(await told).toEqual([busy])
  expect(others.map(({ closed }) => closed)).toEqual([false, false])
  for (const socket of silent) socket.destroy()
})

test('one that has sent a request keeps its place', async () => {
  await using pipe = await servePipe(async () => [], { maxConnections: 2 })
  const { socket, ask } = await openSessionPipe(pipe.address)
  await ask(1, 'version')
  const silent = framesUntilClosed(await dial(pipe.address))
  expect(await version(pipe.address)).toEqual(['3.0.0.0'])
  expect(await silent).toEqual([busy])
  expect(await ask(2, 'version')).toEqual({ Id: 2, Result: '3.0.0.0' })
  socket.destroy()
})

test('endlessly renewed silent connections keep no client out', async () => {
  await using pipe = await servePipe(async () => [], { maxConnections: 200 })
  const taken = new Set<Socket>()
  let isOver = false
  const take = () => {
    const socket = connect(pipe.address).resume()
    taken.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      taken.delete(socket)
      if (!isOver) setImmediate(take)
    })
    return once(socket, 'connect')
  }
  try {
    await Promise.all(Array.from({ length: 220 }, take))
    for (let count = 0; count < 20; count++) expect(await version(pipe.address)).toEqual(['3.0.0.0'])
  } finally {
    isOver = true
    for (const socket of taken) socket.destroy()
  }
  await expect.poll(() => taken.size, limit).toBe(0)
})
