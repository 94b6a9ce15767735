import { listen, serve } from '@service-link/test-kit/serve'
import { describe, expect, test } from 'vitest'
import { discoverReceiver } from '../../src/index.ts'
import { facts } from '../support/facts.ts'

describe('discoverReceiver', () => {
  test.each([
    ['https://sso.example/partner/payload', 'https://sso.example/.well-known/partner-link'],
    ['https://sso.example/partner/payload/', 'https://sso.example/.well-known/partner-link'],
    ['https://sso.example/sso/partner/payload', 'https://sso.example/sso/.well-known/partner-link'],
    ['https://sso.example/other/post', 'https://sso.example/.well-known/partner-link'],
  ])('asks the receiver of %s at %s', async (address, expected) => {
    const asked: string[] = []
    const answer = await discoverReceiver(address, {
      fetch: async url => {
        asked.push(url)
        return Response.json({ ...facts, more: 1 })
      },
    })
    expect(asked).toEqual([expected])
    expect(answer).toEqual(facts)
  })

  test('asks nobody over plain http but this machine', async () => {
    const fetch = () => Promise.reject(new Error('asked'))
    expect(await discoverReceiver('http://sso.example/partner/payload', { fetch })).toBeUndefined()
    await using server = await serve(() => Response.json(facts))
    expect(await discoverReceiver(`${server.origin}/partner/payload`)).toEqual(facts)
  })

  const answers: Readonly<Record<string, Response>> = {
    'does not tell': new Response(null, { status: 404 }),
    'it redirects': new Response(null, { status: 302, headers: { location: 'https://other.example' } }),
    'it answers with status 500': new Response(null, { status: 500 }),
    'it is larger than 65536 bytes': new Response(' '.repeat(65_537)),
    'the JSON must be an object': new Response('<!doctype html>'),
    'address must be an absolute http or https URL': Response.json({
      ...facts,
      address: 'https://a\u001b[2J/',
    }),
    'limits.spanSeconds must be at most 86400': Response.json({
      ...facts,
      limits: { ...facts.limits, spanSeconds: Number.MAX_SAFE_INTEGER },
    }),
    'algorithms.0 must be a name': Response.json({ ...facts, algorithms: ['RS 256'] }),
  }
  test.each(Object.entries(answers))('%s', async (words, answer) => {
    await using server = await serve(() => answer)
    const asked = discoverReceiver(`${server.origin}/partner/payload`)
    if (answer.status === 404) expect(await asked).toBeUndefined()
    else
      await expect(asked).rejects.toMatchObject({
        code: answer.status === 200 && !words.startsWith('it ') ? 'ERR_POST_REPLY' : 'ERR_UNAVAILABLE',
        message: expect.stringContaining(words),
      })
  })

  test('ends its wait by time and by the signal', async () => {
    await using silent = await listen(() => undefined)
    const address = `${silent.origin}/partner/payload`
    await expect(discoverReceiver(address, { timeoutMs: 1 })).rejects.toMatchObject({
      code: 'ERR_UNAVAILABLE',
      message: expect.stringContaining('within 1 ms'),
    })
    const controller = new AbortController()
    const waiting = discoverReceiver(address, { signal: controller.signal })
    controller.abort(new Error('given up'))
    await expect(waiting).rejects.toThrow('given up')
  })
})
