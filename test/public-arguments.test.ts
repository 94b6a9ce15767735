import { generateKeyPairSync } from 'node:crypto'
import { inspect, isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  buildArguments,
  parseArguments,
  parseCommandLine,
  quotePosixShell,
  quoteWindowsCommandLine,
  readLaunchArguments,
  readOpenLaunchArguments,
  splitWindowsCommandLine,
} from '../packages/cli-args/src/index.ts'
import { submitPayload } from '../packages/jwt-payload/src/browser/index.ts'
import {
  explainPayload,
  importSigningKey,
  importVerificationKey,
  postPayload,
  renderPayloadForm,
  signPayload,
  verifyPayload,
} from '../packages/jwt-payload/src/index.ts'
import {
  comparableSsn,
  contradicts,
  createPartnerDirectory,
  createReceiver,
  employeeDigestOf,
  hasSameName,
  importPartner,
  normalizeIdentityNumber,
  partnerDirectoryOf,
  renderBootPage,
} from '../packages/jwt-payload/src/receiver/index.ts'
import {
  createMemorySessions,
  createMemoryStore,
} from '../packages/jwt-payload/src/receiver/testing/index.ts'
import { ConnectedWrapper } from '../packages/pipe-client/src/client/connected-wrapper.ts'
import { Reconnection } from '../packages/pipe-client/src/client/reconnection.ts'
import {
  connectWrapper,
  findWrappers,
  launchWrapper,
  locateWrapper,
} from '../packages/pipe-client/src/index.ts'
import {
  ClosingError,
  defaultBrand,
  isServiceLinkError,
  type PayloadInput,
} from '../packages/protocol-core/src/index.ts'
import { createChromiumEngine, selectEngine } from '../packages/window-engine/src/index.ts'
import {
  claimInstance,
  createSystray,
  createWrapper,
  englishTexts,
  locateFolders,
  locateInstance,
} from '../packages/wrapper-host/src/index.ts'
import { buildXmlInput, parseXmlInput } from '../packages/xml-input/src/index.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const privatePem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }))

/** Mistaken arguments of a caller without types. */
const probes = {
  undefined: undefined,
  null: null,
  text: 'pw-8f3b61c07a',
  number: 918273645,
  'an empty object': {},
  'a private key': privatePem,
}

type ProbeName = keyof typeof probes
const probeNames: readonly ProbeName[] = [
  'undefined',
  'null',
  'text',
  'number',
  'an empty object',
  'a private key',
]
const texts: readonly ProbeName[] = ['text', 'a private key']

/** One argument of a call. */
interface Argument {
  readonly parameter: string
  /** A valid argument. */
  readonly right: unknown
  /** Probes that the parameter also takes, or whose error need not name it. Default: none. */
  readonly takes?: readonly ProbeName[]
  /** For the members of an object: probes that are valid there and so skipped. Default: none. */
  readonly members?: Readonly<Record<string, readonly ProbeName[]>>
}

/** One exported function with arguments. */
interface PublicFunction {
  readonly name: string
  readonly call: (...given: never[]) => unknown
  readonly args: readonly Argument[]
  /** The result or error code of a valid call. Default: success. */
  readonly ends?: unknown
}

const optional: readonly ProbeName[] = ['undefined']
const audience = 'https://sso.example/partner/payload'
const claims: PayloadInput = { organizationId: 'org-1', employeeId: 'emp-7', contact: { id: '4711' } }
const signingSource = { kind: 'pkcs8', pem: privatePem } as const
const signingKey = await importSigningKey(signingSource)
const key = await importVerificationKey({ kind: 'spki', pem: publicPem })
const token = await signPayload(claims, signingKey, { audience })
const givenUp = new ClosingError()
/** Options without a real effect. */
const unlessAborted = (options: unknown) =>
  isDeepStrictEqual(options ?? {}, {}) && options !== null ? { signal: AbortSignal.abort(givenUp) } : options
const store = createMemoryStore({ accounts: [] })
const registration = { id: 'partner', name: 'Partner', keys: [{ kind: 'spki' as const, pem: publicPem }] }
const partner = await importPartner(registration)
const verifying = {
  keys: [],
  audience: texts,
  issuer: [...texts, ...optional],
  policy: optional,
  toleranceSeconds: [...optional, 'number'],
  clock: optional,
  signal: optional,
} as const
const importing = {
  clock: optional,
  validity: optional,
  keySetTimeoutMs: [...optional, 'number'],
  fetch: optional,
} as const
const orEmpty = ['undefined', 'an empty object'] as const
const place = { application: 'Acme', userFolder: '/none/user' }
const launch = { id: '6f0e2ad0-0000-4000-8000-000000000000', argv: [], workingDirectory: '/none' }
const chosen = {
  name: [...texts, ...optional],
  executable: [...texts, ...optional],
  preferredFamily: [...texts, ...optional],
  isHeadless: optional,
  startTimeoutMs: [...optional, 'number'],
  profileWaitMs: [...optional, 'number'],
  openExternal: optional,
  environment: [...orEmpty],
} as const

/** A client whose wrapper answers every call with nothing. */
const client = new ConnectedWrapper(
  new Reconnection(
    {
      mode: 'classic',
      wrapper: { pid: 1, address: '' },
      isOpen: true,
      request: async () => Object(undefined),
      openEvents: () => ({ next: async () => ({ done: true, value: undefined }) }),
      close: async () => undefined,
    },
    undefined,
  ),
  1000,
)
const callOptions: Argument = {
  parameter: 'options',
  right: {},
  takes: ['undefined', 'an empty object'],
  members: { timeoutMs: [...optional, 'number'], signal: optional },
}
const brand = { ...defaultBrand, pipePrefix: 'none-of-this-name' }
const brandMembers = { brand: optional, signal: optional, timeoutMs: [...optional, 'number'] } as const
const environment = { HOME: '/nonexistent' }

const functions: readonly PublicFunction[] = [
  {
    name: 'connectWrapper',
    call: connectWrapper,
    args: [
      {
        parameter: 'options',
        right: { brand, timeoutMs: 1000 },
        takes: ['undefined', 'an empty object'],
        members: {
          ...brandMembers,
          pid: [...optional, 'number'],
          mode: optional,
          reconnect: optional,
          maxInFlight: [...optional, 'number'],
          startIfNeeded: optional,
        },
      },
    ],
    ends: 'ERR_PIPE_NOT_FOUND',
  },
  {
    name: 'findWrappers',
    call: findWrappers,
    args: [
      {
        parameter: 'options',
        right: { brand },
        takes: ['undefined', 'an empty object'],
        members: brandMembers,
      },
    ],
  },
  {
    name: 'launchWrapper',
    call: launchWrapper,
    args: [
      { parameter: 'args', right: [] },
      {
        parameter: 'options',
        right: { brand, environment },
        // The first two would look for an installed wrapper.
        takes: ['undefined', 'an empty object'],
        members: { ...brandMembers, environment: [...optional, 'an empty object'] },
      },
    ],
    ends: 'ERR_PIPE_NOT_INSTALLED',
  },
  {
    name: 'locateWrapper',
    call: locateWrapper,
    args: [
      {
        parameter: 'options',
        right: { brand, environment },
        takes: ['undefined', 'an empty object'],
        members: { brand: optional, environment: [...optional, 'an empty object'] },
      },
    ],
    ends: 'ERR_PIPE_NOT_INSTALLED',
  },
  ...(['hide', 'show', 'version', 'close', 'status'] as const).map(name => ({
    name: `WrapperClient.${name}`,
    call: client[name].bind(client),
    args: [callOptions],
  })),
  {
    name: 'WrapperClient.getWorkoutsForClient',
    call: client.getWorkoutsForClient.bind(client),
    args: [
      {
        parameter: 'query',
        right: { customId: '1' },
        takes: ['an empty object'],
        members: {
          customId: [...texts, ...optional],
          userId: [...optional, 'number'],
          from: [...texts, ...optional],
        },
      },
      callOptions,
    ],
  },
  {
    name: 'WrapperClient.openWorkout',
    call: client.openWorkout.bind(client),
    args: [{ parameter: 'id', right: 1, takes: ['number'] }, callOptions],
  },
  {
    name: 'WrapperClient.getListOfUsers',
    call: client.getListOfUsers.bind(client),
    args: [
      {
        parameter: 'query',
        right: {},
        takes: ['undefined', 'an empty object'],
        members: { customId: [...texts, ...optional] },
      },
      callOptions,
    ],
  },
  {
    name: 'WrapperClient.setCustomId',
    call: client.setCustomId.bind(client),
    args: [
      {
        parameter: 'change',
        right: { userId: 1, customId: '1' },
        members: { userId: ['number'], customId: texts },
      },
      callOptions,
    ],
  },
  {
    name: 'WrapperClient.selectPerson',
    call: client.selectPerson.bind(client),
    args: [
      {
        parameter: 'person',
        right: { customId: '1', firstname: 'Kari', lastname: 'Nordmann' },
        members: {
          customId: [...texts, ...optional],
          userId: [...optional, 'number'],
          firstname: texts,
          lastname: texts,
        },
      },
      callOptions,
    ],
  },
  ...(['queryExercises', 'queryWorkouts'] as const).map(name => ({
    name: `WrapperClient.${name}`,
    call: client[name].bind(client),
    args: [{ parameter: 'text', right: 'low back', takes: texts }, callOptions],
  })),
  {
    name: 'WrapperClient.events',
    call: client.events.bind(client),
    args: [
      {
        parameter: 'options',
        right: {},
        takes: ['undefined', 'an empty object'],
        members: { events: optional, signal: optional, maxQueued: [...optional, 'number'] },
      },
    ],
  },
  {
    name: 'signPayload',
    call: signPayload,
    args: [
      { parameter: 'payload', right: claims, takes: ['an empty object'] },
      { parameter: 'key', right: signingSource, members: { kind: [], pem: ['a private key'] } },
      {
        parameter: 'options',
        right: { audience },
        takes: ['an empty object'],
        members: {
          audience: texts,
          issuer: [...texts, ...optional],
          expiresInSeconds: optional,
          keyId: [...texts, ...optional],
          tokenId: [...texts, ...optional],
          clock: optional,
        },
      },
    ],
  },
  {
    name: 'importSigningKey',
    call: importSigningKey,
    args: [
      {
        parameter: 'source',
        right: signingSource,
        members: { kind: [], pem: ['a private key'], kid: [...texts, ...optional], algorithm: optional },
      },
    ],
  },
  {
    name: 'importSigningKey of a JWK',
    call: importSigningKey,
    args: [
      {
        parameter: 'source',
        right: { kind: 'jwk', jwk: privateKey.export({ format: 'jwk' }) },
        members: { jwk: [] },
      },
    ],
  },
  {
    name: 'importSigningKey of the members of a JWK',
    call: (jwk: object) => importSigningKey({ kind: 'jwk', jwk: Object(jwk) }),
    args: [
      {
        parameter: 'jwk',
        right: privateKey.export({ format: 'jwk' }),
        takes: probeNames,
        members: {
          kty: [],
          crv: [],
          x: [],
          y: [],
          d: [],
          kid: [...texts, ...optional],
          use: optional,
          key_ops: optional,
        },
      },
    ],
  },
  {
    name: 'importSigningKey of a secret',
    call: importSigningKey,
    args: [
      { parameter: 'source', right: { kind: 'secret', secret: 'A'.repeat(43) }, members: { secret: [] } },
    ],
  },
  {
    name: 'importVerificationKey',
    call: importVerificationKey,
    args: [
      {
        parameter: 'source',
        right: { kind: 'spki', pem: publicPem },
        members: { kind: [], pem: [], kid: [...texts, ...optional], algorithms: optional },
      },
      { parameter: 'options', right: {}, takes: ['undefined', 'an empty object'], members: importing },
    ],
  },
  {
    name: 'importVerificationKey of a JWK',
    call: importVerificationKey,
    args: [
      {
        parameter: 'source',
        right: { kind: 'jwk', jwk: publicKey.export({ format: 'jwk' }) },
        members: { jwk: [] },
      },
    ],
  },
  {
    name: 'importVerificationKey of a secret',
    call: importVerificationKey,
    args: [
      { parameter: 'source', right: { kind: 'secret', secret: 'A'.repeat(43) }, members: { secret: [] } },
    ],
  },
  {
    name: 'importVerificationKey of a key set',
    call: importVerificationKey,
    args: [
      {
        parameter: 'source',
        right: { kind: 'jwks', url: 'https://partner.example/keys' },
        members: { url: [] },
      },
    ],
  },
  {
    name: 'verifyPayload',
    call: verifyPayload,
    args: [
      { parameter: 'token', right: token, takes: texts },
      { parameter: 'options', right: { keys: key, audience }, members: verifying },
    ],
  },
  {
    name: 'explainPayload',
    call: explainPayload,
    args: [
      { parameter: 'token', right: token, takes: texts },
      {
        parameter: 'options',
        right: { keys: key, audience },
        members: {
          ...verifying,
          audience: texts,
          issuer: [...texts, ...optional],
          sources: optional,
          registration: [...optional, 'an empty object'],
        },
      },
    ],
  },
  {
    name: 'postPayload',
    call: postPayload,
    args: [
      { parameter: 'url', right: audience },
      { parameter: 'token', right: token },
      {
        parameter: 'options',
        right: { accept: 'json', fetch: async () => Response.json({ url: 'https://sso.example/open' }) },
        members: { accept: [], timeoutMs: [...optional, 'number'], signal: optional, fetch: [] },
      },
    ],
  },
  {
    name: 'submitPayload',
    // It would open a tab.
    call: (url: never, given: never) => submitPayload(url, given, { signal: AbortSignal.abort(givenUp) }),
    args: [
      { parameter: 'url', right: audience },
      { parameter: 'token', right: token },
    ],
    ends: givenUp,
  },
  {
    name: 'renderPayloadForm',
    call: renderPayloadForm,
    args: [
      {
        parameter: 'options',
        right: { action: audience, payload: token },
        members: {
          action: [],
          payload: [],
          target: [...texts, ...optional],
          nonce: [...texts, ...optional],
          submitLabel: [...texts, ...optional],
        },
      },
    ],
  },
  {
    name: 'createReceiver',
    call: createReceiver,
    args: [
      {
        parameter: 'options',
        right: {
          url: audience,
          partners: partnerDirectoryOf([partner]),
          runTransaction: store.runTransaction,
          sessions: createMemorySessions(),
          renderPage: () => '',
        },
        members: {
          url: [],
          partners: [],
          runTransaction: [],
          sessions: [],
          renderPage: [],
          rateLimiter: optional,
          audit: optional,
          openUrl: optional,
          contentSecurityPolicy: optional,
          logInTimeoutSeconds: [...optional, 'number'],
          openTimeoutSeconds: [...optional, 'number'],
          bodyTimeoutMs: [...optional, 'number'],
          toleranceSeconds: [...optional, 'number'],
          clock: optional,
          onEvent: optional,
        },
      },
    ],
  },
  {
    name: 'importPartner',
    call: importPartner,
    args: [
      {
        parameter: 'registration',
        right: registration,
        members: { id: ['text'], name: texts, issuer: [...texts, ...optional], policy: optional, keys: [] },
      },
      { parameter: 'options', right: {}, takes: ['undefined', 'an empty object'], members: importing },
    ],
  },
  {
    name: 'createPartnerDirectory',
    call: createPartnerDirectory,
    args: [
      { parameter: 'registration', right: [registration] },
      { parameter: 'options', right: {}, takes: ['undefined', 'an empty object'] },
    ],
  },
  {
    name: 'partnerDirectoryOf',
    call: partnerDirectoryOf,
    args: [{ parameter: 'partners', right: [partner] }],
  },
  {
    name: 'partnerDirectoryOf one partner',
    call: (one: never) => partnerDirectoryOf([one]),
    args: [
      {
        parameter: 'partners',
        right: partner,
        members: { id: texts, issuer: [...texts, ...optional], keys: [] },
      },
    ],
  },
  {
    name: 'createMemoryStore',
    call: createMemoryStore,
    args: [
      {
        parameter: 'options',
        right: { accounts: [] },
        members: { accounts: [], contacts: optional, clock: optional },
      },
    ],
  },
  {
    name: 'renderBootPage',
    call: renderBootPage,
    args: [
      { parameter: 'indexHtml', right: '<head></head>', takes: texts },
      { parameter: 'outcome', right: { kind: 'replayed' }, takes: ['an empty object'] },
      {
        parameter: 'options',
        right: { nonce: 'n' },
        members: { nonce: texts, address: [...texts, ...optional] },
      },
    ],
  },
  ...Object.entries({ contradicts, hasSameName }).map(([name, call]) => ({
    name,
    call,
    args: [
      {
        parameter: 'sent',
        right: { firstname: 'Bo' },
        takes: ['an empty object'] as const,
        members: { firstname: [...texts, 'undefined', 'null'] as const },
      },
      { parameter: 'known', right: { firstname: 'Bo' }, takes: ['an empty object'] as const },
    ],
  })),
  ...Object.entries({
    parseArguments,
    readLaunchArguments,
    readOpenLaunchArguments,
    quotePosixShell,
    quoteWindowsCommandLine,
  }).flatMap(([name, call]) => [
    { name, call, args: [{ parameter: 'argv', right: ['id='] }] },
    {
      name: `${name} of one argument`,
      call: (one: never) => call([one]),
      args: [{ parameter: 'argv', right: 'id=', takes: texts }],
    },
  ]),
  ...[
    { name: 'parseArguments with options', call: parseArguments, parameter: 'argv', right: [] },
    { name: 'parseCommandLine', call: parseCommandLine, parameter: 'launch', right: { values: {} } },
  ].map(({ name, call, parameter, right }) => ({
    name,
    call,
    args: [
      { parameter, right },
      {
        parameter: 'options',
        right: {},
        takes: orEmpty,
        members: { culture: [...texts, ...optional] },
      },
    ],
  })),
  {
    name: 'parseCommandLine of values',
    call: (values: never) => parseCommandLine({ values }),
    args: [
      {
        parameter: 'values',
        right: { queryexercises: 'knee' },
        takes: ['an empty object'],
        members: { queryexercises: [...texts, ...optional], openworkout: optional },
      },
    ],
  },
  {
    name: 'buildArguments',
    call: buildArguments,
    args: [
      {
        parameter: 'options',
        right: {},
        takes: ['an empty object'],
        members: {
          provider: [...texts, ...optional],
          person: optional,
          queryExercises: [...texts, ...optional],
          queryWorkouts: [...texts, ...optional],
          openWorkout: [...optional, 'number'],
          wait: optional,
          payload: optional,
        },
      },
    ],
  },
  {
    name: 'splitWindowsCommandLine',
    call: splitWindowsCommandLine,
    args: [{ parameter: 'commandLine', right: 'a b', takes: texts }],
  },
  {
    name: 'parseXmlInput',
    call: parseXmlInput,
    args: [
      { parameter: 'bytes', right: Buffer.from('<serviceinput exercisequery="knee"/>') },
      {
        parameter: 'options',
        right: {},
        takes: orEmpty,
        members: {
          brand: optional,
          culture: [...texts, ...optional],
          maxBytes: [...optional, 'number'],
          maxDepth: [...optional, 'number'],
          maxElements: [...optional, 'number'],
        },
      },
    ],
  },
  {
    name: 'buildXmlInput',
    call: buildXmlInput,
    args: [
      {
        parameter: 'options',
        right: { exerciseQuery: 'knee' },
        takes: ['an empty object'],
        members: {
          person: optional,
          exerciseQuery: [...texts, ...optional],
          workoutQuery: [...texts, ...optional],
          deleteAfterRead: optional,
          brand: optional,
        },
      },
    ],
  },
  {
    name: 'createWrapper',
    call: createWrapper,
    args: [
      {
        parameter: 'options',
        right: {},
        takes: orEmpty,
        members: {
          brand: optional,
          version: optional,
          engine: optional,
          providers: [...orEmpty],
          folders: optional,
          commandTimeoutMs: [...optional, 'number'],
          tray: optional,
          texts: [...orEmpty],
          recovery: [...orEmpty],
          openExternal: optional,
          installedAs: optional,
          onNotice: optional,
        },
      },
    ],
  },
  ...Object.entries({
    providers: {
      right: { 'Acme.Journal, Acme': { provide: async () => ({ commands: [] }) } },
      of: 'Acme.Journal, Acme',
    },
    recovery: { right: { crashes: { count: 1, withinMs: 1 } }, of: 'crashes' },
    texts: { right: { trayShow: 'Show' }, of: 'trayShow' },
  }).map(([parameter, { right, of }]) => ({
    name: `createWrapper with ${parameter}`,
    call: (given: never) => createWrapper({ [parameter]: given }),
    args: [
      {
        parameter,
        right,
        takes: orEmpty,
        members: {
          [of]: parameter === 'texts' ? [...texts, ...optional] : parameter === 'recovery' ? optional : [],
        },
      },
    ],
  })),
  {
    name: 'createWrapper installed as',
    call: (one: never) => createWrapper({ installedAs: [one] }),
    args: [{ parameter: 'installedAs', right: '/acme' }],
  },
  {
    name: 'start of a wrapper',
    call: (given: never, options: never) =>
      Reflect.apply(createWrapper().start, undefined, [given, unlessAborted(options)]),
    args: [
      { parameter: 'launch', right: launch, members: { id: texts, argv: [], workingDirectory: texts } },
      {
        parameter: 'options',
        right: { signal: AbortSignal.abort(givenUp) },
        takes: orEmpty,
        members: { signal: optional },
      },
    ],
    ends: givenUp,
  },
  {
    name: 'claimInstance',
    call: (at: never, request: never, options: never) =>
      Reflect.apply(claimInstance, undefined, [at, request, unlessAborted(options)]),
    args: [
      {
        parameter: 'place',
        right: locateInstance(place),
        members: { lockFile: texts, handOffAddress: texts },
      },
      { parameter: 'request', right: { launch }, members: { launch: [] } },
      {
        parameter: 'options',
        right: { signal: AbortSignal.abort(givenUp) },
        takes: orEmpty,
        members: { signal: optional, timeoutMs: [...optional, 'number'] },
      },
    ],
    ends: givenUp,
  },
  {
    name: 'locateInstance',
    call: locateInstance,
    args: [
      {
        parameter: 'options',
        right: place,
        members: { application: texts, userFolder: texts, environment: [...orEmpty] },
      },
    ],
  },
  {
    name: 'locateFolders',
    call: locateFolders,
    args: [
      { parameter: 'brand', right: defaultBrand },
      { parameter: 'environment', right: {}, takes: orEmpty },
    ],
  },
  {
    name: 'englishTexts',
    call: englishTexts,
    args: [{ parameter: 'displayName', right: 'Acme', takes: texts }],
  },
  {
    name: 'createSystray',
    call: createSystray,
    args: [
      {
        parameter: 'options',
        right: { folder: '/none' },
        members: {
          folder: [],
          icon: optional,
          executable: optional,
          readyTimeoutMs: [...optional, 'number'],
          environment: [...orEmpty],
        },
      },
    ],
  },
  {
    name: 'createChromiumEngine',
    call: createChromiumEngine,
    args: [{ parameter: 'options', right: {}, takes: orEmpty, members: chosen }],
  },
  {
    name: 'selectEngine',
    call: selectEngine,
    args: [
      { parameter: 'name', right: 'EoWebBrowser', takes: texts },
      { parameter: 'options', right: {}, takes: orEmpty, members: { openExternal: optional } },
    ],
  },
  {
    name: 'employeeDigestOf',
    call: employeeDigestOf,
    args: [
      {
        parameter: 'employee',
        right: { partnerId: 'p', organizationId: 'o', employeeId: 'e' },
        members: { partnerId: texts, organizationId: texts, employeeId: texts },
      },
    ],
  },
  {
    name: 'normalizeIdentityNumber',
    call: normalizeIdentityNumber,
    args: [{ parameter: 'text', right: '1', takes: texts }],
  },
  { name: 'comparableSsn', call: comparableSsn, args: [{ parameter: 'ssn', right: '1', takes: texts }] },
]

describe.each(functions)('$name', ({ call, args, ends }) => {
  const given = args.map(argument => argument.right)

  test('accepts valid arguments', async () => {
    const end = await failureOf(call, given)
    if (typeof ends === 'string') expect(end).toMatchObject({ code: ends })
    else expect(end).toBe(ends)
  })

  describe.each(args)('$parameter', ({ parameter, right: own, takes = [], members = {} }) => {
    const position = args.findIndex(argument => argument.parameter === parameter)

    test.each(probeNames)('%s in its place is refused without its value', async probe => {
      const failure = await failureOf(call, given.with(position, probes[probe]))
      if (takes.includes(probe) && failure === undefined) return
      expectTyped(failure, probe)
      // The error names the missing member of an empty object.
      const names = [parameter, ...(probe === 'an empty object' ? Object.keys(members) : [])]
      if (!takes.includes(probe)) expect(String(failure)).toMatch(new RegExp(`\\b(${names.join('|')})\\b`))
    })

    test.each(Object.entries(members))(
      'a wrong %s in it is refused without its value',
      async (member, right) => {
        for (const probe of probeNames.filter(name => !right.includes(name))) {
          const wrong = { ...Object(own), [member]: probes[probe] }
          expectTyped(await failureOf(call, given.with(position, wrong)), probe)
        }
      },
    )
  })
})

async function failureOf(call: PublicFunction['call'], given: readonly unknown[]): Promise<unknown> {
  try {
    await Reflect.apply(call, undefined, given)
    return undefined
  } catch (failure) {
    return failure
  }
}

/** Asserts an error of ours, with a code, that contains the value nowhere. */
function expectTyped(failure: unknown, probe: ProbeName): void {
  expect(failure, 'what was thrown').toBeInstanceOf(Error)
  const everything = `${inspect(failure, { depth: 20, showHidden: true, getters: true })}${String(Object(failure).stack)}`
  for (const line of String(probes[probe]).split('\n'))
    if (!(probe === 'undefined' || probe === 'null' || line === '')) expect(everything).not.toContain(line)
  expect(isServiceLinkError(failure), `an error of ours, instead of ${everything}`).toBe(true)
  expect(failure).toMatchObject({ code: expect.stringMatching(/^ERR_[A-Z_]+$/) })
}
