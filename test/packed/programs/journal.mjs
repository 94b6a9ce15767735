// A journal in Express, with helmet's policy, and the service that it opens. Prints the addresses of both.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  importSigningKey,
  payloadFormPolicy,
  renderPayloadForm,
  signPayload,
} from '@service-link/jwt-payload'
import { createPartnerDirectory, createReceiver } from '@service-link/receiver'
import { nodeHandler } from '@service-link/receiver/node'
import { createMemorySessions, createMemoryStore } from '@service-link/receiver/testing'
import express from 'express'
import helmet from 'helmet'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const issuer = 'https://journal.example'

const service = express()
const serviceUrl = await listen(service, 'localhost')
const url = `${serviceUrl}/partner/payload`
const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' })
const partners = await createPartnerDirectory([
  { id: 'journal', name: 'A journal', issuer, keys: [{ kind: 'spki', pem: publicKey }] },
])
const account = { id: 'account-1', displayName: 'Ada' }
const store = createMemoryStore({ accounts: [account] })
const employee = { partnerId: 'journal', organizationId: 'clinic-12', employeeId: 'emp-7' }
await store.runTransaction(({ accounts }) => accounts.link(employee, account.id), { isRepeatable: true })
const receiver = createReceiver({
  url,
  partners,
  runTransaction: store.runTransaction,
  sessions: createMemorySessions(),
  renderPage: outcome =>
    `<!doctype html><title>Service</title><p>${outcome.kind} ${store.contacts().map(({ person }) => person.firstname)}</p>`,
})
// A parser in front of the receiver, as many applications have.
service.use(express.urlencoded({ extended: true }))
service.use(nodeHandler(receiver))

const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' })
const key = await importSigningKey({ kind: 'pkcs8', pem: privateKey })
const journal = express()
// Helmet's defaults, and the service's origin: forms may go there.
journal.use(helmet({ contentSecurityPolicy: { directives: { 'form-action': ["'self'", serviceUrl] } } }))
journal.get('/', (_request, response) => {
  response.send(`<!doctype html><title>Journal</title>
    <a href="/open/4711" target="_blank">Open Kari</a> <a href="/submit/4711" target="_blank">Open Kari at once</a>`)
})
journal.get('/open/:id', async (request, response) => {
  response.set('cache-control', 'no-store')
  response.send(await formPage(request.params.id))
})
journal.get('/submit/:id', async (request, response) => {
  const nonce = randomBytes(16).toString('base64')
  response.set('cache-control', 'no-store')
  response.set('content-security-policy', payloadFormPolicy({ action: url, nonce }))
  response.send(await formPage(request.params.id, { nonce }))
})
console.log(JSON.stringify({ journal: await listen(journal, '127.0.0.1'), service: serviceUrl }))

/** A page that a click opened in a new tab. */
async function formPage(id, options = {}) {
  const contact = { id, firstname: 'Kari', lastname: 'Nordmann' }
  const claims = { organizationId: 'clinic-12', employeeId: 'emp-7', contact }
  const payload = await signPayload(claims, key, { audience: url, issuer })
  return `<!doctype html><title>One moment</title>${renderPayloadForm({ action: url, payload, target: '_self', ...options })}`
}

/** @returns address of the application; two names of this machine are two sites */
async function listen(app, host) {
  const server = app.listen(0, host)
  await once(server, 'listening')
  return `http://${host}:${server.address().port}`
}
