import type { RefusalCode } from '@service-link/jwt-payload'
import { type Launch, plainRegistration, plainSend } from './launch.ts'

interface Preset {
  /** What the launch does wrong. */
  readonly name: string
  readonly change: (start: Launch) => Partial<Launch>
}

const sent = (send: Partial<Launch['send']>) => () => ({ send: { ...plainSend, ...send } })

/** A launch for each refusal. Those with a registration need a service that takes one from here. */
export const presets: Readonly<Record<RefusalCode, Preset>> = {
  ERR_NOT_NAVIGATED: {
    name: 'Posted by a script that cannot read the answer',
    change: sent({ isScripted: true }),
  },
  ERR_METHOD_NOT_ALLOWED: { name: 'Sent with GET', change: sent({ method: 'GET' }) },
  ERR_MEDIA_TYPE: { name: 'Sent as JSON', change: sent({ mediaType: 'application/json' }) },
  ERR_PAYLOAD_TOO_LARGE: { name: 'A second field of 70 kB', change: sent({ fillerBytes: 70_000 }) },
  ERR_PAYLOAD_MISSING: { name: 'In a field named token', change: sent({ field: 'token' }) },
  ERR_PAYLOAD_MALFORMED: { name: 'Escaped by an HTML template', change: sent({ isEscaped: true }) },
  ERR_CROSS_ORIGIN: {
    name: 'Posted by a script of another site',
    change: sent({ scriptOrigin: 'https://elsewhere.example' }),
  },
  ERR_PAYLOAD_ALGORITHM: { name: 'Not signed', change: () => ({ algorithm: 'none' }) },
  ERR_PAYLOAD_KEY: {
    name: 'A kid and an iss that nobody registered',
    change: () => ({ keyId: 'nobody', issuer: 'https://nobody.example' }),
  },
  ERR_PAYLOAD_SIGNATURE: { name: 'Signed with another key', change: () => ({ key: 'wrong' }) },
  ERR_PARTNER_INACTIVE: {
    name: 'A partner that is switched off',
    change: () => ({ key: 'generated', registration: { ...plainRegistration, isActive: false } }),
  },
  ERR_PAYLOAD_TIMES: { name: 'Without exp', change: () => ({ leftOut: ['exp'] }) },
  ERR_PAYLOAD_EXPIRED: { name: 'Signed five minutes ago', change: () => ({ skewSeconds: -300 }) },
  ERR_PAYLOAD_NOT_YET_VALID: { name: 'A clock two minutes ahead', change: () => ({ skewSeconds: 120 }) },
  ERR_PAYLOAD_AUDIENCE: {
    name: 'Signed for another service',
    change: () => ({ audience: 'https://elsewhere.example/partner/payload' }),
  },
  ERR_PAYLOAD_SHAPE: {
    name: 'Without contact.id',
    change: ({ claims }) => ({
      claims: { ...claims, contact: { ...Object(claims.contact), id: undefined } },
    }),
  },
  ERR_RATE_LIMITED: {
    name: 'A second post in a minute, where one is agreed',
    change: () => ({
      key: 'generated',
      registration: { ...plainRegistration, maxPostsPerMinute: 1 },
      send: { ...plainSend, times: 2 },
    }),
  },
  ERR_PAYLOAD_REPLAYED: { name: 'The same token twice', change: sent({ times: 2 }) },
  ERR_UNAVAILABLE: {
    name: 'A registered key set that does not answer',
    change: () => ({
      key: 'generated',
      registration: { ...plainRegistration, keySetUrl: 'http://127.0.0.1:9/keys.json' },
      // Else the service finds another registration of the same key.
      leftOut: ['kid'],
    }),
  },
  ERR_LINK_GONE: {
    name: 'A one-time URL that was opened before',
    change: sent({ method: 'GET', path: '/open/opened-before' }),
  },
}
