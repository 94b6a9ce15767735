// Runs in runtimes with web globals only: bundled with its imports and called by a test from outside.
import {
  importSigningKey,
  importVerificationKey,
  renderPayloadForm,
  signPayload,
  verifyPayload,
} from '@service-link/jwt-payload'
import { createPartnerDirectory, createReceiver, type PartnerRegistration } from '../../src/index.ts'
import { createMemorySessions, createMemoryStore } from '../../src/testing/memory-store.ts'

/** Input of the test to the runtime, as JSON. */
export interface EdgeInput {
  readonly name: string
  readonly registered: PartnerRegistration['keys'][number]
  readonly signing: Parameters<typeof importSigningKey>[0]
}

const audience = 'https://sso.example/partner/payload'
const payload = { organizationId: 'org-1', employeeId: 'emp-7', contact: { id: '4711', firstname: 'Åse' } }

/**
 * Signs, verifies, and posts to a receiver.
 *
 * @returns the results as JSON
 */
export async function tellStory({ registered, signing }: EdgeInput): Promise<string> {
  const key = await importSigningKey(signing)
  const options = { audience, issuer: 'https://partner.example' }
  const token = await signPayload(payload, key, options)
  const keys = await importVerificationKey(registered)
  const { algorithm, person } = await verifyPayload(token, { keys, audience })
  const store = createMemoryStore({ accounts: [{ id: 'account-1', displayName: 'Kari Hansen' }] })
  const receiver = createReceiver({
    url: audience,
    partners: await createPartnerDirectory([
      { id: 'partner', name: 'Partner', issuer: options.issuer, keys: [registered] },
    ]),
    runTransaction: store.runTransaction,
    sessions: createMemorySessions(),
    renderPage: outcome => `<!doctype html><title>${outcome.kind}</title>`,
  })
  const post = async (text: string) => {
    const body = new URLSearchParams({ payload: text })
    const response = await receiver.receive(new Request(audience, { method: 'POST', body }))
    const answer = await response.text()
    return response.ok ? /<title>(.*)<\/title>/.exec(answer)?.[1] : Reflect.get(JSON.parse(answer), 'code')
  }
  const answers = [await post(token), await post(token), await post(`${token.slice(0, -8)}AAAAAAAA`)]
  const form = renderPayloadForm({ action: audience, payload: token }).slice(0, 19)
  const hasNode = ['process', 'Buffer', 'require', 'global'].filter(name => name in globalThis)
  return JSON.stringify({ algorithm, firstname: person.firstname, answers, form, hasNode })
}

Object.assign(globalThis, { tellStory })
