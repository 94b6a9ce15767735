import {
  createPartnerDirectory,
  createReceiver,
  readRegistrations,
  renderBootPage,
} from '@service-link/receiver'
import { createMemorySessions, createMemoryStore } from '@service-link/receiver/testing'
import registrations from './partners.json' with { type: 'json' }

const path = '/partner/payload'
const indexHtml = '<!doctype html><html lang="en"><head><title>Web app</title></head><body></body></html>'
const store = createMemoryStore({ accounts: [{ id: 'account-1', displayName: 'Kari Nordmann' }] }) // yours, see below
const receiver = createReceiver({
  url: `https://sso.example${path}`,
  partners: await createPartnerDirectory(readRegistrations(registrations), { validity: 'use' }),
  runTransaction: store.runTransaction,
  sessions: createMemorySessions(), // yours, see below
  renderPage: (outcome, { nonce }) => renderBootPage(indexHtml, outcome, { nonce }),
})

export default {
  fetch(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === path) return receiver.receive(request)
    if (pathname === '/.well-known/partner-link') return receiver.describe(request)
    return pathname.startsWith(`${path}/open/`) ? receiver.open(request) : new Response(null, { status: 404 })
  },
}
