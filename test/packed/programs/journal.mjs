// The guide's journal behind helmet's policy, and the service that it opens. Prints the addresses of both.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createPartnerDirectory, createReceiver } from '@service-link/receiver'
import { nodeHandler } from '@service-link/receiver/node'
import { createMemorySessions, createMemoryStore } from '@service-link/receiver/testing'
import express from 'express'
import helmet from 'helmet'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const service = express()
const serviceUrl = await listen(service, 'localhost')
const url = `${serviceUrl}/partner/payload`
const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' })
const partners = await createPartnerDirectory([
  { id: 'journal', name: 'A journal', keys: [{ kind: 'spki', pem: publicKey }] },
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

mkdirSync('keys', { recursive: true })
writeFileSync('keys/private.pem', pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
for (const file of ['journal.mjs', 'public/page.js'])
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('https://sso.example/partner/payload', url))
const { app } = await import('./journal/journal.mjs')
const journal = express()
// Helmet's defaults, and the service's origin: forms may go there.
journal.use(helmet({ contentSecurityPolicy: { directives: { 'form-action': ["'self'", serviceUrl] } } }))
journal.use(app)
console.log(JSON.stringify({ journal: await listen(journal, '127.0.0.1'), service: serviceUrl }))

/** @returns address of the application; two names of this machine are two sites */
async function listen(app, host) {
  const server = app.listen(0, host)
  await once(server, 'listening')
  return `http://${host}:${server.address().port}`
}
