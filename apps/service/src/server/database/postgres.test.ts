import { expect, test } from 'vitest'
import { discardLost, readConnectTimeout } from './postgres.ts'

/** A connection whose queries fail as they are told, and which tells how it was given back. */
class FakeClient {
  readonly released: (boolean | undefined)[] = []
  readonly #rows = ['row']

  async query(error?: Error): Promise<readonly string[]> {
    if (error) throw error
    return this.#rows
  }

  release(destroy?: boolean): void {
    this.released.push(destroy)
  }
}

test.each([
  ['that was lost in a query', new Error('Query read timeout'), true],
  ['whose query was refused', Object.assign(new Error('unique'), { code: '23505' }), false],
])('a connection %s is closed: %s → %s', async (_name, error, isClosed) => {
  const fake = new FakeClient()
  const client = discardLost(fake)
  expect(await client.query()).toEqual(['row'])
  await expect(client.query(error)).rejects.toBe(error)
  expect(await client.query()).toEqual(['row'])
  client.release()
  expect(fake.released).toEqual([isClosed])
})

test('whoever asks for the connection to be closed has it closed', async () => {
  const fake = new FakeClient()
  discardLost(fake).release(true)
  expect(fake.released).toEqual([true])
})

test.each([
  ['', 2],
  ['?sslmode=verify-full&connect_timeout=30', 30],
  ['?connect_timeout=600', 600],
  ['?connect_timeout=0', undefined],
  ['?connect_timeout=601', undefined],
  ['?connect_timeout=-1', undefined],
  ['?connect_timeout=1.5', undefined],
  ['?connect_timeout=', undefined],
])('an address with %j means %s seconds', (query, seconds) => {
  expect(readConnectTimeout(`postgres://service@localhost/service${query}`)).toBe(seconds)
})
