import { createElectronEngine } from '../../packages/window-engine/src/electron/index.ts'
import { createChromiumEngine, selectEngine } from '../../packages/window-engine/src/index.ts'
import { engineContract } from '../../packages/window-engine/src/testing/index.ts'
import {
  optional,
  optionalNumber,
  optionalObject,
  optionalText,
  testPublicFunctions,
  texts,
} from '../support/public-arguments.ts'

const chosen = {
  name: optionalText,
  executable: optionalText,
  preferredFamily: optionalText,
  isHeadless: optional,
  startTimeoutMs: optionalNumber,
  openExternal: optional,
  environment: optionalObject,
} as const

testPublicFunctions([
  {
    name: 'createChromiumEngine',
    call: createChromiumEngine,
    args: [{ parameter: 'options', right: {}, takes: optionalObject, members: chosen }],
  },
  {
    name: 'selectEngine',
    call: selectEngine,
    args: [
      { parameter: 'name', right: 'EoWebBrowser', takes: texts },
      { parameter: 'options', right: {}, takes: optionalObject, members: { openExternal: optional } },
    ],
  },
  {
    name: 'createElectronEngine',
    call: createElectronEngine,
    args: [
      {
        parameter: 'options',
        right: { app: {}, BrowserWindow: class {}, screen: {}, session: {}, shell: {} },
        members: {
          BrowserWindow: [],
          name: optionalText,
          startTimeoutMs: optionalNumber,
          openExternal: optional,
        },
      },
    ],
  },
  {
    name: 'engineContract',
    call: engineContract,
    args: [
      {
        parameter: 'options',
        right: { engine: createChromiumEngine() },
        members: {
          engine: ['an empty object'],
          loadsPages: optional,
          provoke: optionalObject,
          waitMs: optionalNumber,
        },
      },
    ],
  },
  {
    name: 'engineContract with provoke',
    call: (provoke: never) => engineContract({ engine: createChromiumEngine(), provoke }),
    args: [
      {
        parameter: 'provoke',
        right: {},
        takes: optionalObject,
        members: { userClose: optional, press: optional },
      },
    ],
  },
])
