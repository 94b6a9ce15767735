import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { listen } from '@service-link/test-kit/serve'
import { describe, expect, test, vi } from 'vitest'
import type { WrapperEvent } from '../../src/log/events.ts'
import { fetchBeginning } from '../../src/testing/memory-engine.ts'
import { checkForUpdate } from '../../src/update/offer-update.ts'

async function site(answer: RequestListener) {
  const requests: { readonly url: string | undefined }[] = []
  const sockets = new Set<Socket>()
  const server = await listen((request, response) => {
    requests.push({ url: request.url })
    sockets.add(request.socket)
    answer(request, response)
  })
  return {
    ...server,
    requests,
    countConnections: () => [...sockets].filter(({ closed }) => !closed).length,
  }
}

function check(updateUrl: string, options: { signal?: AbortSignal; timeoutMs?: number } = {}) {
  const events: WrapperEvent[] = []
  const update = checkForUpdate({
    updateUrl,
    application: 'Service.Client.WebWrapper',
    version: '3.0.5.7',
    fetchText: fetchBeginning,
    signal: new AbortController().signal,
    report: event => events.push(event),
    ...options,
  })
  return { update, events }
}

const answering =
  (text: string): RequestListener =>
  (_request, response) =>
    response.end(text)

describe('checkForUpdate', () => {
  test.each([
    ['3.0.6.0', '3.0.6.0'],
    ['3.1.0.0\r\nnotes\r\n', '3.1.0.0'],
    ['\uFEFF4.0.0.0\n', '4.0.0.0'],
    ['3.0.10.0', '3.0.10.0'],
    ['3.0.006.0', '3.0.6.0'],
  ])('the answer %j is a newer version', async (text, version) => {
    await using at = await site(answering(text))
    const { update, events } = check(`${at.origin}/updates/`)
    expect(await update).toEqual({
      version,
      url: `${at.origin}/updates/msi/Service.Client.WebWrapper.${version}.msi`,
    })
    expect(events).toEqual([{ type: 'update-available', version }])
    expect(at.requests).toEqual([{ url: '/updates/msi/version.txt' }])
  })

  test.each(['3.0.5.7', '3.0.5.8', '3.0.5.0', '3.0.4.9', '2.9.9.9\n4.0.0.0'])(
    'the answer %j is no newer version, without a message',
    async text => {
      await using at = await site(answering(text))
      const { update, events } = check(at.origin)
      expect([await update, events]).toEqual([undefined, []])
    },
  )

  test.each([
    ['nothing', ''],
    ['another text', 'latest'],
    ['three parts', '4.0.0'],
    ['an empty line first', '\n4.0.0.0'],
    ['the page of a network that wants a log-in', '<!DOCTYPE html><title>Guest Wi-Fi</title>'],
    ['a version among other words', 'version 4.0.0.0'],
    ['a huge line', '4'.repeat(3_000_000)],
  ])('an answer that is %s is no version', async (_title, text) => {
    await using at = await site(answering(text))
    const { update, events } = check(at.origin)
    expect(await update).toBeUndefined()
    expect(events).toEqual([
      { type: 'update-check-failed', reason: 'the site answered with something else than a version' },
    ])
  })

  test('of an endless answer only the beginning is read, and the connection is ended', async () => {
    await using at = await site((_request, response) => {
      response.write('4.0.0.0\n')
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    expect(await check(at.origin).update).toMatchObject({ version: '4.0.0.0' })
    await vi.waitFor(() => expect(at.countConnections()).toBe(0), { timeout: 60_000 })
  })

  test.each([404, 500, 204, 401])('status %i is a failure', async status => {
    await using at = await site((_request, response) => {
      response.writeHead(status).end(status === 204 ? undefined : '4.0.0.0')
    })
    const { update, events } = check(at.origin)
    expect(await update).toBeUndefined()
    expect(events).toEqual([
      { type: 'update-check-failed', reason: `the site answered with status ${status}` },
    ])
  })

  test('a redirect to a safe address is followed, and the link stays with the configured site', async () => {
    await using target = await site(answering('4.0.0.0'))
    await using at = await site((_request, response) => {
      response.writeHead(302, { location: `${target.origin}/elsewhere.txt` }).end()
    })
    expect(await check(at.origin).update).toMatchObject({
      url: `${at.origin}/msi/Service.Client.WebWrapper.4.0.0.0.msi`,
    })
    expect(target.requests).toMatchObject([{ url: '/elsewhere.txt' }])
  })

  test.each([
    'http://updates.example/version.txt',
    'file:///etc/hostname',
    'data:,4.0.0.0',
    'http://',
    undefined,
  ])('a redirect to %s is not followed', async location => {
    await using at = await site((_request, response) => {
      response.writeHead(302, location === undefined ? {} : { location }).end('4.0.0.0')
    })
    const { update, events } = check(at.origin)
    expect(await update).toBeUndefined()
    expect(events).toEqual([
      { type: 'update-check-failed', reason: 'the site redirects to an address that is not https' },
    ])
  })

  test('a redirect with credentials is not followed, and no credentials are sent', async () => {
    await using target = await site(answering('4.0.0.0'))
    await using at = await site((_request, response) => {
      const location = `${target.origin.replace('//', '//ola:geheim@')}/version.txt`
      response.writeHead(302, { location }).end()
    })
    const { update, events } = check(at.origin)
    expect(await update).toBeUndefined()
    expect(events).toEqual([
      { type: 'update-check-failed', reason: 'the site redirects to an address that is not https' },
    ])
    expect(target.requests).toEqual([])
  })

  test.each(['//other.example/updates', '///other.example'])(
    'the path %s stays on the configured site',
    async path => {
      await using at = await site(answering('4.0.0.0'))
      const { update } = check(`${at.origin}${path}`)
      expect(await update).toMatchObject({
        url: `${at.origin}${path}/msi/Service.Client.WebWrapper.4.0.0.0.msi`,
      })
      expect(at.requests).toMatchObject([{ url: `${path}/msi/version.txt` }])
    },
  )

  test('redirects in a circle end', async () => {
    await using at = await site((request, response) => {
      response.writeHead(307, { location: `${request.url}` }).end()
    })
    const { update, events } = check(at.origin)
    expect(await update).toBeUndefined()
    expect(events).toEqual([{ type: 'update-check-failed', reason: 'the site redirects too often' }])
    expect(at.requests).toHaveLength(4)
  })

  test('an unreachable site is an event and no failure', async () => {
    const closed = await site(() => undefined)
    await closed[Symbol.asyncDispose]()
    const { update, events } = check(closed.origin)
    expect(await update).toBeUndefined()
    expect(events).toEqual([
      { type: 'update-check-failed', reason: 'the site cannot be reached (navigation)' },
    ])
  })

  test.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['stops in the midst of its answer', (_request, response) => void response.write('4.0')],
  ])('a site that %s is given up after the time limit', async (_title, answer) => {
    await using at = await site(answer)
    const { update, events } = check(at.origin, { timeoutMs: 200 })
    expect(await update).toBeUndefined()
    expect(events).toEqual([{ type: 'update-check-failed', reason: 'the site did not answer in time' }])
    await vi.waitFor(() => expect(at.countConnections()).toBe(0), { timeout: 60_000 })
  })

  test.each(['before it began', 'while it waits'])('a wrapper that ends %s gets no answer', async when => {
    const ending = new AbortController()
    await using at = await site(() => ending.abort())
    if (when === 'before it began') ending.abort()
    const { update, events } = check(at.origin, { signal: ending.signal })
    expect([await update, events]).toEqual([undefined, []])
    expect(at.requests).toHaveLength(when === 'before it began' ? 0 : 1)
  })

  test.each(['', '{webwrapper_site}'])('without a site, as in %j, nothing is requested', async updateUrl => {
    const { update, events } = check(updateUrl)
    expect([await update, events]).toEqual([undefined, []])
  })

  test.each([
    'http://updates.example/',
    'ftp://updates.example/',
    'http://127.0.0.1.example/',
    'http://updates.localhost/',
  ])('the site %s is not requested, because others could answer for it', async updateUrl => {
    const { update, events } = check(updateUrl)
    expect(await update).toBeUndefined()
    expect(events).toEqual([
      { type: 'update-check-failed', reason: 'the setting UpdateUrl is not an https address' },
    ])
  })

  test('an https site is requested with TLS only', async () => {
    await using at = await site(answering('4.0.0.0'))
    const { update, events } = check(at.origin.replace('http:', 'https:'))
    expect(await update).toBeUndefined()
    expect(events).toMatchObject([{ reason: expect.stringMatching(/^the site cannot be reached \(\w+\)$/) }])
  })
})
