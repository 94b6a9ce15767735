// The receiver from the built package, as a service mounts it, with effects that do nothing: what is measured is everything
// up to them.
import { getRequestListener } from '@hono/node-server'
import {
  createPartnerDirectory,
  createReceiver,
  type DeliveryEffects,
} from '@service-link/jwt-payload/receiver'
import { answerPage, listenAsParty } from './start-party.ts'

const { publicJwk, audience, issuer } = JSON.parse(process.argv[2] ?? '')

const unused = () => Promise.reject(new Error('Not part of this measurement.'))
const effects: DeliveryEffects = {
  accept: async ({ delivery }) => ({
    kind: 'applied',
    delivery,
    account: { id: 'account', displayName: 'Ada' },
    contact: { kind: 'selected', contactId: 'contact' },
    session: { setCookies: [] },
  }),
  defer: unused,
  resume: unused,
  complete: unused,
  links: unused,
  unlink: unused,
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
  effects,
  sessions: { create: unused, endLinked: unused, current: async () => undefined },
  renderPage: () => answerPage,
})

listenAsParty(getRequestListener(receiver.receive))
