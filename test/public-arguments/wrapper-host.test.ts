import { expect, test } from 'vitest'
import { defaultBrand } from '../../packages/protocol-core/src/index.ts'
import { createWrapper, locateFolders, runProgram } from '../../packages/wrapper-host/src/index.ts'
import { startTestWrapper } from '../../packages/wrapper-host/src/testing/index.ts'
import { connectHost, type HostHandlers } from '../../packages/wrapper-host/src/web-app/page/index.ts'
import { givenUp, testPublicFunctions, unlessAborted } from '../support/public-arguments.ts'

const launch = { id: '6f0e2ad0-0000-4000-8000-000000000000', argv: [], workingDirectory: '/none' }
const provider = { provide: async () => ({ commands: [] }) }
const aborted = { signal: AbortSignal.abort(givenUp) }

await testPublicFunctions(
  'wrapper-host',
  {
    createWrapper: {
      takes: {
        'options?': [
          {},
          '{ brand?, version?, engine?, providers?: object, folders?, commandTimeoutMs?: milliseconds, tray?, language?: text, texts?: object, openExternal?, installedAs?, onNotice? }',
        ],
      },
    },
    'createWrapper with a provider': {
      call: (one: never) => createWrapper({ providers: { 'Acme.Journal, Acme': one } }),
      takes: { providers: [provider, '{ provide, ... }'] },
    },
    'createWrapper with texts': {
      call: (texts: never) => createWrapper({ texts }),
      takes: { 'texts?': [{ trayShow: 'Show' }, '{ trayShow?: text }'] },
    },
    'createWrapper installed as': {
      call: (one: never) => createWrapper({ installedAs: [one] }),
      takes: { installedAs: ['/acme', 'text'] },
    },
    'start of a wrapper': {
      call: (given: never, options: never) =>
        Reflect.apply(createWrapper().start, undefined, [given, unlessAborted(options)]),
      takes: {
        launch: [launch, '{ id: text, argv, workingDirectory: text }'],
        'options?': [aborted, '{ signal? }'],
      },
      ends: givenUp,
    },
    runDoctor: {
      takes: {
        'options?': [
          { folders: locateFolders(defaultBrand, {}) },
          '{ brand?, version?: text, folders?, engine?, providers? }',
        ],
      },
    },
    locateFolders: {
      takes: { brand: [defaultBrand, '{ pipePrefix: text }'], 'environment?': [{}, '{ ... }'] },
    },
    createTray: {
      takes: {
        options: [
          { folder: '/none' },
          '{ folder, icon?, iconOnLight?, executable?, readyTimeoutMs?: milliseconds, environment?: object }',
        ],
      },
    },
    createMemoryWebApp: { takes: { 'options?': [{}, '{ users?, workouts? }'] } },
    startTestWrapper: {
      call: async (given: never) => await (await startTestWrapper(unlessAborted(given) as never)).close(),
      takes: {
        'options?': [
          aborted,
          '{ webApp?: object, isSignedIn?, isOnline?, brand?, version?, settings?: object, providers?: object, argv?, commandTimeoutMs?: milliseconds, answerPost?, prepare?, signal? }',
        ],
      },
      ends: givenUp,
    },
    'startTestWrapper with webApp': {
      call: (webApp: never) => startTestWrapper({ webApp, ...aborted }),
      takes: { 'webApp?': [{}, '{ selectPerson? }'] },
      ends: givenUp,
    },
    'startTestWrapper with settings': {
      call: (settings: never) => startTestWrapper({ settings, ...aborted }),
      takes: { 'settings?': [{}, '{ AppUrl?: text }'] },
      ends: givenUp,
    },
  },
  `accessProblem connectHost deliveredSettings digestOf failureReason findProgram helpText
  inElement kindOf policyKey problemsOfTexts providerExports runProgram settingLines unworkableAddress whileInUse withholdVariables`,
)

test('runProgram refuses options like createWrapper, and those that follow from the process', async () => {
  await expect(runProgram({ text: {} } as never)).rejects.toMatchObject({ code: 'ERR_PARAMETER' })
  await expect(runProgram({ folders: {} } as never)).rejects.toMatchObject({ code: 'ERR_PARAMETER' })
  await expect(runProgram({ texts: { trayShow: '<b>' } })).rejects.toThrow('options.texts.trayShow')
  await expect(runProgram({ version: '1.0.0.0' })).rejects.toMatchObject({ code: 'ERR_OPTION' })
})

test('connectHost refuses handlers that are not known with the near name', () => {
  expect(() => connectHost({ selectperson: () => ({}) } as HostHandlers)).toThrow(
    'connectHost has no handler selectperson. Did you mean selectPerson?',
  )
  expect(() => connectHost({ openDoor: () => ({}) } as HostHandlers)).toThrow(
    /openDoor\. Known: selectPerson, /,
  )
  for (const none of [undefined, null])
    expect(() => connectHost(none as never)).toThrow('connectHost needs an object of handlers')
  expect(() => connectHost({ openWorkout: 'x' } as never)).toThrow('openWorkout must be a function.')
})
