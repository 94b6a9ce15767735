import { defaultBrand } from '../../packages/protocol-core/src/index.ts'
import {
  createSystray,
  createWrapper,
  englishTexts,
  locateFolders,
} from '../../packages/wrapper-host/src/index.ts'
import {
  givenUp,
  optional,
  optionalNumber,
  optionalObject,
  optionalText,
  testOpenFunctions as testPublicFunctions,
  texts,
  unlessAborted,
} from '../support/public-arguments.ts'

const launch = { id: '6f0e2ad0-0000-4000-8000-000000000000', argv: [], workingDirectory: '/none' }

testPublicFunctions([
  {
    name: 'createWrapper',
    call: createWrapper,
    args: [
      {
        parameter: 'options',
        right: {},
        takes: optionalObject,
        members: {
          brand: optional,
          version: optional,
          engine: optional,
          providers: optionalObject,
          folders: optional,
          commandTimeoutMs: optionalNumber,
          tray: optional,
          texts: optionalObject,
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
    texts: { right: { trayShow: 'Show' }, of: 'trayShow' },
  }).map(([parameter, { right, of }]) => ({
    name: `createWrapper with ${parameter}`,
    call: (given: never) => createWrapper({ [parameter]: given }),
    args: [
      {
        parameter,
        right,
        takes: optionalObject,
        members: {
          [of]: parameter === 'texts' ? optionalText : [],
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
        takes: optionalObject,
        members: { signal: optional },
      },
    ],
    ends: givenUp,
  },
  {
    name: 'locateFolders',
    call: locateFolders,
    args: [
      { parameter: 'brand', right: defaultBrand },
      { parameter: 'environment', right: {}, takes: optionalObject },
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
          readyTimeoutMs: optionalNumber,
          environment: optionalObject,
        },
      },
    ],
  },
])
