import { expect, test } from 'vitest'
import { defaultBrand } from '../../packages/protocol-core/src/index.ts'
import {
  createSystray,
  createWrapper,
  englishTexts,
  locateFolders,
  type RunDoctorOptions,
  runDoctor,
} from '../../packages/wrapper-host/src/index.ts'
import { createMemoryWebApp, startTestWrapper } from '../../packages/wrapper-host/src/testing/index.ts'
import { connectHost, type HostHandlers } from '../../packages/wrapper-host/src/web-app/page/index.ts'
import {
  givenUp,
  optional,
  optionalNumber,
  optionalObject,
  optionalText,
  testPublicFunctions,
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
        isOpen: parameter === 'providers',
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
      { parameter: 'environment', right: {}, takes: optionalObject, isOpen: true },
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
  {
    name: 'createMemoryWebApp',
    call: createMemoryWebApp,
    args: [
      {
        parameter: 'options',
        right: {},
        takes: optionalObject,
        members: { users: optional, workouts: optional },
      },
    ],
  },
  {
    name: 'startTestWrapper',
    call: async (given: never) => await (await startTestWrapper(unlessAborted(given) as never)).close(),
    args: [
      {
        parameter: 'options',
        right: { signal: AbortSignal.abort(givenUp) },
        takes: optionalObject,
        members: {
          webApp: optionalObject,
          isSignedIn: optional,
          isOnline: optional,
          brand: optional,
          version: optional,
          settings: optionalObject,
          providers: optionalObject,
          argv: optional,
          commandTimeoutMs: optionalNumber,
          answerPost: optional,
          prepare: optional,
          signal: optional,
        },
      },
    ],
    ends: givenUp,
  },
  ...Object.entries({ webApp: 'selectPerson', settings: 'AppUrl' }).map(([parameter, of]) => ({
    name: `startTestWrapper with ${parameter}`,
    call: (given: never) =>
      startTestWrapper({ [parameter]: given, signal: AbortSignal.abort(givenUp) }) as Promise<unknown>,
    args: [
      {
        parameter,
        right: {},
        takes: optionalObject,
        members: { [of]: parameter === 'settings' ? optionalText : optional },
      },
    ],
    ends: givenUp,
  })),
])

test('runDoctor and connectHost refuse unknown properties with the near name', async () => {
  const doctor = { versoin: '3.0.0.0' } as RunDoctorOptions
  await expect(runDoctor(doctor)).rejects.toMatchObject({
    code: 'ERR_PARAMETER',
    message: 'The parameter options.versoin is not known. Did you mean version?',
  })
  const folders = { userFolder: '/none', root: '/none' } as never
  await expect(runDoctor({ folders })).rejects.toMatchObject({ parameter: 'options.folders.root' })
  expect(() => connectHost({ selectperson: () => ({}) } as HostHandlers)).toThrow(
    'connectHost has no handler selectperson. Did you mean selectPerson?',
  )
  expect(() => connectHost({ openDoor: () => ({}) } as HostHandlers)).toThrow(
    /openDoor\. Known: selectPerson, /,
  )
  expect(() => connectHost({ openWorkout: 'x' } as never)).toThrow('openWorkout must be a function.')
})
