import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DevToolsConnection, DevToolsDecoder, maxDevToolsMessageBytes } from './devtools-connection.ts'
import type { DevToolsEvent } from './devtools-protocol.ts'

/** A connection and the browser's end of its two streams. */
function connect() {
  const fromBrowser = new PassThrough()
  const toBrowser = new PassThrough()
  const connection = new DevToolsConnection(fromBrowser, toBrowser)
  const answer = (message: object) => fromBrowser.write(`${JSON.stringify(message)}\0`)
  return { connection, fromBrowser, toBrowser, answer }
}

/** The messages written so far; Node decides the pieces. */
function sentTo(toBrowser: PassThrough): unknown[] {
  let text = ''
  for (let piece = toBrowser.read(); piece !== null; piece = toBrowser.read()) text += String(piece)
  return text
    .split('\0')
    .slice(0, -1)
    .map(message => JSON.parse(message))
}

const version = { product: 'Chrome/156', userAgent: 'Mozilla/5.0' }

describe('DevToolsConnection', () => {
  it('matches replies to calls in any order', async () => {
    const { connection, toBrowser, answer } = connect()
    const first = connection.call('Browser.getVersion')
    const second = connection.call('Page.navigate', { url: 'http://a.example' }, { sessionId: 's' })
    expect(sentTo(toBrowser)).toEqual([
      { id: 1, method: 'Browser.getVersion', params: {} },
      { id: 2, method: 'Page.navigate', params: { url: 'http://a.example' }, sessionId: 's' },
    ])
    answer({ id: 2, result: { errorText: 'no' }, sessionId: 's' })
    answer({ id: 1, result: version })
    expect(await second).toEqual({ errorText: 'no' })
    expect(await first).toEqual(version)
  })

  it('rejects a refused call, and a reply of another shape', async () => {
    const { connection, answer } = connect()
    const refused = connection.call('Page.reload')
    const misshapen = connection.call('Browser.getVersion')
    answer({ id: 1, error: { code: -32000, message: 'Not now' } })
    answer({ id: 2, result: { product: 5 } })
    await expect(refused).rejects.toThrow('Not now')
    await expect(misshapen).rejects.toThrow('Browser.getVersion')
  })

  it('times out, and ignores the late reply', async () => {
    const { connection, answer } = connect()
    await expect(connection.call('Page.reload', {}, { timeoutMs: 1 })).rejects.toMatchObject({
      fault: 'timeout',
    })
    answer({ id: 1, result: {} })
    const next = connection.call('Page.reload')
    answer({ id: 2, result: {} })
    expect(await next).toEqual({})
  })

  it('ends by its signal', async () => {
    const { connection, toBrowser } = connect()
    const reason = new Error('given up')
    const controller = new AbortController()
    const call = connection.call('Page.reload', {}, { signal: controller.signal })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    toBrowser.read()
    await expect(connection.call('Page.reload', {}, { signal: controller.signal })).rejects.toBe(reason)
    expect(toBrowser.read()).toBeNull()
  })

  it.each(['end', 'destroy'] as const)(
    'rejects every waiting call when the browser’s stream has its %s',
    async how => {
      const { connection, fromBrowser } = connect()
      const calls = [connection.call('Page.reload'), connection.call('Browser.getVersion')]
      const rejections = Promise.all(calls.map(call => expect(call).rejects.toMatchObject({ fault: 'gone' })))
      fromBrowser[how]()
      await rejections
      await expect(connection.call('Page.reload')).rejects.toMatchObject({ fault: 'gone' })
    },
  )

  it('rejects the call with a too long answer, and continues', async () => {
    const { connection, fromBrowser, answer } = connect()
    const long = connection.call('Page.reload')
    const next = connection.call('Browser.getVersion')
    fromBrowser.write('{"id":1,"result":"')
    fromBrowser.write(Buffer.alloc(maxDevToolsMessageBytes, 'x'))
    fromBrowser.write('"}\0')
    answer({ id: 2, result: version })
    await expect(long).rejects.toThrow('too long')
    expect(await next).toEqual(version)
  })

  it('sends nothing more to a browser that does not read', async () => {
    const { connection, toBrowser } = connect()
    const expression = 'x'.repeat(16 * 1024 * 1024)
    const calls = Array.from({ length: 8 }, () =>
      connection.call('Runtime.evaluate', { expression }, { timeoutMs: 1000 }),
    )
    const outcomes = Promise.allSettled(calls)
    expect(toBrowser.writableLength).toBeLessThan(128 * 1024 * 1024)
    connection[Symbol.dispose]()
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(8).fill('rejected'))
  })

  it('emits known events with their session, and skips others', async () => {
    const { connection, answer } = connect()
    const events: DevToolsEvent[] = []
    const stop = connection.onEvent(event => events.push(event))
    answer({ method: 'Unknown.event', params: { a: 1 } })
    answer({ method: 'Page.frameStoppedLoading', params: { frameId: 5 } })
    answer({ method: 'Page.frameStoppedLoading', params: { frameId: 'f', more: 1 }, sessionId: 's' })
    answer({ neither: true })
    const first = connection.call('Page.reload')
    answer({ id: 1, result: {} })
    await first
    expect(events).toEqual([{ name: 'Page.frameStoppedLoading', facts: { frameId: 'f' }, sessionId: 's' }])
    stop()
    answer({ method: 'Inspector.targetCrashed', params: {} })
    const last = connection.call('Page.reload')
    answer({ id: 2, result: {} })
    await last
    expect(events).toHaveLength(1)
  })

  it('ends without throwing when the browser sends invalid JSON', async () => {
    const { connection, fromBrowser, toBrowser } = connect()
    const call = connection.call('Page.reload')
    const rejection = expect(call).rejects.toMatchObject({ fault: 'gone' })
    const closed = once(toBrowser, 'close')
    fromBrowser.write('not json\0')
    await rejection
    await closed
  })
})

describe('DevToolsDecoder', () => {
  it('splits messages for any chunks', () => {
    const message = fc.string({ unit: 'grapheme' }).filter(text => !text.includes('\0'))
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.array(fc.nat(40), { maxLength: 20 }),
        (messages, cuts) => {
          const bytes = Buffer.from(messages.map(text => `${text}\0`).join(''))
          const decoder = new DevToolsDecoder(1000)
          const decoded: string[] = []
          let start = 0
          for (const length of [...cuts, bytes.length]) {
            decoded.push(...decoder.push(bytes.subarray(start, start + length)).messages)
            start += length
          }
          expect(decoded).toEqual(messages)
        },
      ),
    )
  })

  it.each([1, 7, 1000])('skips a message above the limit, in chunks of %i bytes, and continues', size => {
    const decoder = new DevToolsDecoder(100)
    const bytes = Buffer.from(`first\0{"id":12,"result":"${'x'.repeat(500)}"}\0last\0`)
    const messages: string[] = []
    const oversized: string[] = []
    for (let start = 0; start < bytes.length; start += size) {
      const decoded = decoder.push(bytes.subarray(start, start + size))
      messages.push(...decoded.messages)
      oversized.push(...decoded.oversized)
    }
    expect(messages).toEqual(['first', 'last'])
    expect(oversized).toHaveLength(1)
    expect(oversized[0]).toMatch(/^\{"id":12,/)
    expect(oversized[0]?.length).toBeLessThanOrEqual(64)
  })

  it('accepts a message of exactly the limit', () => {
    expect(new DevToolsDecoder(5).push(Buffer.from('12345\0')).messages).toEqual(['12345'])
  })
})
