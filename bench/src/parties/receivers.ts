// The receiver, its floor and its peer. The input chooses one of them.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import {
  createPartnerDirectory,
  createReceiver,
  type ReceiverStores,
} from '@service-link/jwt-payload/receiver'
import { importJWK, jwtVerify } from 'jose'
import { listenAsParty } from './start-party.ts'

const { kind, publicJwk, audience, issuer } = JSON.parse(process.argv[2] ?? '')
const key = await importJWK(publicJwk, 'RS256')

const answerPage = `<!doctype html><title>Service</title><script>${'// the web app\n'.repeat(60)}</script>`

/** Checks the form field, signature, times, audience and issuer only. */
const verify = (body: string) =>
  jwtVerify(new URLSearchParams(body).get('payload') ?? '', key, { audience, issuer, algorithms: ['RS256'] })

/** The floor: node:http and jose, used directly. */
const raw: RequestListener = async (request, response) => {
  try {
    await verify(await text(request))
    response.setHeader('content-type', 'text/html; charset=utf-8').end(answerPage)
  } catch {
    response.writeHead(401).end()
  }
}

/** The peer: jose, used directly, behind the same adapter as ours. */
const jose = getRequestListener(async request => {
  try {
    await verify(await request.text())
    return new Response(answerPage, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  } catch {
    return new Response(null, { status: 401 })
  }
})

const unused = () => Promise.reject(new Error('Not part of this measurement.'))
const stores: ReceiverStores = {
  replay: { consume: async () => 'taken' },
  accounts: {
    find: async () => ({ id: 'account', displayName: 'Ada' }),
    link: unused,
    unlink: unused,
  },
  contacts: { put: async () => ({ kind: 'selected', contactId: 'contact' }) },
  held: { hold: unused, take: unused },
  audit: { record: async () => undefined },
  sessions: { create: async () => ({ setCookies: [] }), endLinked: unused },
}
/** The receiver from the built package, mounted as a service would, with stores that do nothing: all other work is measured. */
async function ours(): Promise<RequestListener> {
  const receiver = createReceiver({
    url: audience,
    partners: await createPartnerDirectory([
      {
        id: 'partner',
        name: 'Partner',
        issuer,
        keys: [{ kind: 'jwk', jwk: publicJwk, kid: 'bench' }],
        maxPostsPerMinute: 1_000_000,
      },
    ]),
    runTransaction: work => work(stores),
    sessions: { create: unused, endLinked: unused, current: async () => undefined },
    renderPage: () => answerPage,
  })
  return getRequestListener(receiver.receive)
}

await listenAsParty(kind === 'raw' ? raw : kind === 'jose' ? jose : await ours())
