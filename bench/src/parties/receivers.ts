// The receiver, and what a service's maker would write by hand. The input chooses one of them.
import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createPartnerDirectory, createReceiver, type ReceiverStores } from '@service-link/receiver'
import { Hono } from 'hono'
import { importJWK, jwtVerify } from 'jose'
import * as z from 'zod'
import { listenAsParty } from './start-party.ts'

const { kind, publicJwk, audience, issuer } = JSON.parse(process.argv[2] ?? '')

const answerPage = `<!doctype html><title>Service</title><script>${'// the web app\n'.repeat(60)}</script>`

/** The peer: hono, jose and zod, used directly, behind the same adapter as ours. */
async function peer(): Promise<RequestListener> {
  const key = await importJWK(publicJwk, 'RS256')
  const text = z.string().optional()
  const claims = z.object({
    organizationId: z.string(),
    organizationName: text,
    employeeId: z.string(),
    employeeUsername: text,
    employeeFirstname: text,
    employeeLastname: text,
    employeeEmail: text,
    contact: z.object({
      id: z.string(),
      birthdate: text,
      ssn: text,
      gender: text,
      firstname: text,
      middlename: text,
      lastname: text,
      mobile: text,
      email: text,
      diagnosis: text,
    }),
  })
  const app = new Hono().post('/partner/payload', async c => {
    try {
      const { payload: token } = await c.req.parseBody()
      const verified = await jwtVerify(String(token), key, { audience, issuer, algorithms: ['RS256'] })
      claims.parse(verified.payload)
      return c.html(answerPage)
    } catch {
      return c.body(null, 401)
    }
  })
  return getRequestListener(app.fetch)
}

const unused = () => Promise.reject(new Error('Not part of this measurement.'))
const stores: ReceiverStores = {
  replay: { consume: async () => 'taken' },
  accounts: {
    find: async () => ({ id: 'account', displayName: 'Ada' }),
    link: unused,
    unlink: unused,
    endContext: unused,
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

await listenAsParty(await (kind === 'peer' ? peer() : ours()))
