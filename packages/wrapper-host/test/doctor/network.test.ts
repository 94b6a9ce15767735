import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from '@service-link/test-kit/self-signed'
import { describe, expect, test } from 'vitest'
import { type BrowserAnswer, checkSite } from '../../src/doctor/site-checks.ts'
import { doctorPlace } from '../support/doctor.ts'

async function serve(server: Server) {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const answer =
  (status: number): RequestListener =>
  (_, response) =>
    response.writeHead(status).end()

describe('service', () => {
  test.each([
    [200, 'ok'],
    [302, 'ok'],
    [404, 'problem'],
    [503, 'problem'],
  ])('that answers with status %d', async (code, status) => {
    await using server = await serve(createServer(answer(code)))
    await using place = await doctorPlace()
    await place.configure({ AppUrl: `http://127.0.0.1:${server.port}/app?token=secret` })
    const found = await place.find('service')
    expect(found).toMatchObject({ status, sentence: expect.stringContaining(`status ${code}`) })
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  test('that is down', async () => {
    const server = await serve(createServer())
    await server[Symbol.asyncDispose]()
    await using place = await doctorPlace()
    await place.configure({ AppUrl: `http://127.0.0.1:${server.port}/` })
    const sentence = expect.stringContaining('nothing listens there')
    expect(await place.find('service')).toMatchObject({ status: 'problem', sentence })
  })

  test('that never answers is given up', async () => {
    await using server = await serve(createServer(() => undefined))
    const url = new URL(`http://127.0.0.1:${server.port}/`)
    const { signal } = new AbortController()
    expect(await checkSite(url, 'AppUrl', { environment: {}, signal, timeoutMs: 300 })).toMatchObject({
      status: 'problem',
      sentence: expect.stringContaining('does not answer: not within 0.3 seconds'),
    })
  })

  test.each<[BrowserAnswer, string, string, string?]>([
    [{ status: 200 }, 'ok', 'answers the browser, as it must, with status 200'],
    [{ status: 503 }, 'problem', 'with status 503'],
    [
      { fault: 'The proxy cannot be reached (ERR_PROXY_CONNECTION_FAILED).' },
      'problem',
      'Nor does it answer the browser',
      'proxy of the system',
    ],
    [{ fault: 'Blocked (ERR_BLOCKED_BY_ADMINISTRATOR).' }, 'problem', 'Nor does it', 'URLAllowlist'],
    [{ unasked: 'A policy forbids it.' }, 'warning', 'could not be asked', 'A policy forbids it.'],
  ])('that does not answer is asked by the browser: %j', async (answer, status, words, remedy) => {
    const server = await serve(createServer())
    await server[Symbol.asyncDispose]()
    const { signal } = new AbortController()
    const options = { environment: {}, signal, askBrowser: async () => answer }
    const found = await checkSite(new URL(`http://127.0.0.1:${server.port}/`), 'AppUrl', options)
    expect(found).toMatchObject({ status, sentence: expect.stringContaining(words) })
    expect(found.remedy ?? '').toContain(remedy ?? '')
  })

  test('whose certificate is not trusted', async () => {
    await using server = await serve(createTlsServer(selfSigned('localhost'), answer(200)))
    await using place = await doctorPlace()
    await place.configure({ AppUrl: `https://127.0.0.1:${server.port}/` })
    const sentence = expect.stringMatching(/certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/)
    expect(await place.find('service')).toMatchObject({ status: 'problem', sentence })
  })

  test('that does not speak TLS', async () => {
    await using server = await serve(createServer(answer(200)))
    await using place = await doctorPlace()
    await place.configure({ AppUrl: `https://127.0.0.1:${server.port}/` })
    const sentence = expect.stringContaining('does not speak TLS')
    expect(await place.find('service')).toMatchObject({ status: 'problem', sentence })
  })

  test('names the variables of a proxy', async () => {
    await using server = await serve(createServer(answer(200)))
    await using place = await doctorPlace({ HTTP_PROXY: `http://127.0.0.1:${server.port}`, NO_PROXY: '*' })
    await place.configure({ AppUrl: `http://127.0.0.1:${server.port}/` })
    const sentence = expect.stringContaining('(HTTP_PROXY set)')
    expect(await place.find('service')).toMatchObject({ status: 'ok', sentence })
  })

  test('without an address', async () => {
    await using place = await doctorPlace()
    const sentence = expect.stringContaining('AppUrl')
    expect(await place.find('service')).toMatchObject({ status: 'problem', sentence })
  })
})

describe('update-site', () => {
  test.each([{}, { UpdateUrl: 'https://updates.example/', CheckForUpdates: 'False' }])(
    'is not requested when unused: %j',
    async settings => {
      await using place = await doctorPlace()
      await place.configure(settings)
      expect(await place.find('update-site')).toMatchObject({ status: 'skipped' })
    },
  )

  test('is requested when used', async () => {
    await using server = await serve(createServer(answer(500)))
    await using place = await doctorPlace()
    await place.configure({ UpdateUrl: `http://127.0.0.1:${server.port}/` })
    expect(await place.find('update-site')).toMatchObject({ status: 'problem' })
  })
})
