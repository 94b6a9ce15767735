import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  importSigningKey,
  payloadFormPolicy,
  renderPayloadForm,
  signPayload,
} from '@service-link/jwt-payload'
import express, { type Request } from 'express'

const action = 'https://sso.example/partner/payload'
const key = await importSigningKey({ kind: 'pkcs8', pem: await readFile('keys/private.pem', 'utf8') })
const patients = [{ id: '4711', firstname: 'Kari', lastname: 'Nordmann', birthdate: '1980-01-02' }] // yours

/** Yours: who is signed in. The page sends nothing but the patient's id. */
const employeeOf = (_request: Request) => ({ organizationId: 'clinic-12', employeeId: 'emp-7' })

async function payloadFor(request: Request, patientId: unknown) {
  const contact = patients.find(({ id }) => id === patientId) // yours: a patient whom the employee may see
  return contact && signPayload({ ...employeeOf(request), contact }, key, { audience: action })
}

export const app = express()
app.use(express.static('public'))
app.use(
  '/service-link',
  express.static(dirname(fileURLToPath(import.meta.resolve('@service-link/jwt-payload/browser')))),
)

// Against cross-site requests: a page of another site could open a patient in this browser.
app.use(['/payload', '/open'], (request, response, next) => {
  if (request.get('sec-fetch-site') === 'same-origin') next()
  else response.sendStatus(403)
})

app.post('/payload', express.text(), async (request, response) => {
  const payload = await payloadFor(request, request.body)
  if (payload) response.set('cache-control', 'no-store').type('text').send(payload)
  else response.sendStatus(404)
})

// For a link with target="_blank", also where no script runs.
app.get('/open/:id', async (request, response) => {
  const payload = await payloadFor(request, request.params.id)
  const nonce = randomBytes(16).toString('base64')
  if (!payload) return void response.sendStatus(404)
  const form = renderPayloadForm({ action, payload, nonce, target: '_self', submitLabel: 'Open the service' })
  response
    .set('content-security-policy', payloadFormPolicy({ action, nonce }))
    .set('cache-control', 'no-store')
  response.send(`<!doctype html><html lang="en"><title>One moment</title><body>${form}</body></html>`)
})
