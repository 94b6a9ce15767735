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

/** What a launch does wrong. Its name is in the catalogs. */
interface Preset {
  /** How it edits the start. */
  readonly change?: (start: Launch) => Partial<Launch>
  readonly send?: Partial<typeof plainSend>
  readonly registration?: Partial<typeof plainRegistration>
}

const registered = () => ({ key: 'generated', isRegistered: true }) as const

/** A launch for each refusal. Those with a registration need a service that takes one from here. */
export const presets: Readonly<Record<RefusalCode, Preset>> = {
  ERR_NOT_NAVIGATED: {
    send: { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } },
  },
  ERR_METHOD_NOT_ALLOWED: { send: { method: 'GET' } },
  ERR_MEDIA_TYPE: { send: { mediaType: 'application/json' } },
  ERR_PAYLOAD_TOO_LARGE: { send: { fillerBytes: 70_000 } },
  ERR_PAYLOAD_MISSING: { send: { field: 'token' } },
  ERR_PAYLOAD_MALFORMED: { send: { quote: '&quot;' } },
  ERR_CROSS_ORIGIN: {
    send: {
      headers: {
        origin: 'https://elsewhere.example',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'cors',
      },
    },
  },
  ERR_PAYLOAD_ALGORITHM: { change: () => ({ algorithm: 'none' }) },
  ERR_PAYLOAD_KEY: {
    change: () => ({ keyId: 'nobody', issuer: 'https://nobody.example' }),
  },
  ERR_PAYLOAD_SIGNATURE: { change: () => ({ key: 'wrong' }) },
  ERR_PARTNER_INACTIVE: {
    change: registered,
    registration: { isActive: false },
  },
  ERR_PAYLOAD_TIMES: { change: () => ({ leftOut: ['exp'] }) },
  ERR_PAYLOAD_EXPIRED: { change: () => ({ skewSeconds: -300 }) },
  ERR_PAYLOAD_NOT_YET_VALID: { change: () => ({ skewSeconds: 120 }) },
  ERR_PAYLOAD_AUDIENCE: {
    change: () => ({ audience: 'https://elsewhere.example/partner/payload' }),
  },
  ERR_PAYLOAD_SHAPE: {
    change: ({ claims }) => ({
      claims: { ...claims, contact: { ...Object(claims.contact), id: undefined } },
    }),
  },
  ERR_END_NOT_ALLOWED: {
    change: ({ claims }) => ({ claims: { ...claims, contact: undefined, end: 'context' } }),
  },
  ERR_RATE_LIMITED: {
    change: registered,
    registration: { maxPostsPerMinute: 1 },
    send: { times: 2 },
  },
  ERR_PAYLOAD_REPLAYED: { send: { times: 2 } },
  ERR_UNAVAILABLE: {
    // Without a kid: else the service finds another registration of the same key.
    change: () => ({ ...registered(), leftOut: ['kid'] }),
    registration: { keySetUrl: 'http://127.0.0.1:9/keys.json' },
  },
  ERR_LINK_GONE: {
    send: { method: 'GET', path: '/open/opened-before' },
  },
}
