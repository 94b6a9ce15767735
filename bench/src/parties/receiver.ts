// The receiver from the built package, mounted as a service would, with stores that do nothing: all other work is
// measured.
import { getRequestListener } from '@hono/node-server'
import {
  createPartnerDirectory,
  createReceiver,
  type ReceiverStores,
} from '@service-link/jwt-payload/receiver'
import { answerPage, listenAsParty } from './start-party.ts'

const { publicJwk, audience, issuer } = JSON.parse(process.argv[2] ?? '')

const unused = () => Promise.reject(new Error('Not part of this measurement.'))
const stores: ReceiverStores = {
  replay: { consume: async () => 'taken' },
  accounts: {
    find: async () => ({ id: 'account', displayName: 'Ada' }),
    link: unused,
    list: unused,
    unlink: unused,
  },
  contacts: { put: async () => ({ kind: 'selected', contactId: 'contact' }) },
  held: { hold: unused, take: unused },
  audit: { record: async () => undefined },
  sessions: { create: async () => ({ setCookies: [] }), endLinked: unused },
}
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

listenAsParty(getRequestListener(receiver.receive))
