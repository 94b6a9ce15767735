import type { RefusalCode } from '@service-link/jwt-payload'
import type { Launch } from './launch.ts'

/** How a token travels, if nothing is wrong. */
export const plainSend = {
  method: 'POST' as 'POST' | 'GET',
  mediaType: 'application/x-www-form-urlencoded',
  field: 'payload',
  /** Below the address. */
  path: '',
  /** How often the same token is sent. */
  times: 1,
  /** What stands before and behind the token. */
  quote: '',
  /** Further headers, which a form does not send. */
  headers: {} as Readonly<Record<string, string>>,
  /** Size of a second field. */
  fillerBytes: 0,
}

/** How the page registers its own key, if nothing is wrong. A key set takes the place of the key. */
export const plainRegistration = { isActive: true, maxPostsPerMinute: 60, repeatable: false, keySetUrl: '' }

interface Preset {
  /** What the launch does wrong. */
  readonly name: string
  /** How it edits the start. */
  readonly change?: (start: Launch) => Partial<Launch>
  readonly send?: Partial<typeof plainSend>
  readonly registration?: Partial<typeof plainRegistration>
}

const registered = () => ({ key: 'generated', isRegistered: true }) as const

/** A launch for each refusal. Those with a registration need a service that takes one from here. */
export const presets: Readonly<Record<RefusalCode, Preset>> = {
  ERR_NOT_NAVIGATED: {
    name: 'Posted by a script that cannot read the answer',
    send: { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } },
  },
  ERR_METHOD_NOT_ALLOWED: { name: 'Sent with GET', send: { method: 'GET' } },
  ERR_MEDIA_TYPE: { name: 'Sent as JSON', send: { mediaType: 'application/json' } },
  ERR_PAYLOAD_TOO_LARGE: { name: 'A second field of 70 kB', send: { fillerBytes: 70_000 } },
  ERR_PAYLOAD_MISSING: { name: 'In a field named token', send: { field: 'token' } },
  ERR_PAYLOAD_MALFORMED: { name: 'Escaped by an HTML template', send: { quote: '&quot;' } },
  ERR_CROSS_ORIGIN: {
    name: 'Posted by a script of another site',
    send: {
      headers: {
        origin: 'https://elsewhere.example',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'cors',
      },
    },
  },
  ERR_PAYLOAD_ALGORITHM: { name: 'Not signed', change: () => ({ algorithm: 'none' }) },
  ERR_PAYLOAD_KEY: {
    name: 'A kid and an iss that nobody registered',
    change: () => ({ keyId: 'nobody', issuer: 'https://nobody.example' }),
  },
  ERR_PAYLOAD_SIGNATURE: { name: 'Signed with another key', change: () => ({ key: 'wrong' }) },
  ERR_PARTNER_INACTIVE: {
    name: 'A partner that is switched off',
    change: registered,
    registration: { isActive: false },
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
    change: registered,
    registration: { maxPostsPerMinute: 1 },
    send: { times: 2 },
  },
  ERR_PAYLOAD_REPLAYED: { name: 'The same token twice', send: { times: 2 } },
  ERR_UNAVAILABLE: {
    name: 'A registered key set that does not answer',
    // Without a kid: else the service finds another registration of the same key.
    change: () => ({ ...registered(), leftOut: ['kid'] }),
    registration: { keySetUrl: 'http://127.0.0.1:9/keys.json' },
  },
  ERR_LINK_GONE: {
    name: 'A one-time URL that was opened before',
    send: { method: 'GET', path: '/open/opened-before' },
  },
}
