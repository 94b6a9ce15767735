import { createChromiumEngine, selectEngine } from '../../packages/window-engine/src/index.ts'
import {
  optional,
  optionalNumber,
  optionalObject,
  optionalText,
  testOpenFunctions as testPublicFunctions,
  texts,
} from '../support/public-arguments.ts'

const chosen = {
  name: optionalText,
  executable: optionalText,
  preferredFamily: optionalText,
  isHeadless: optional,
  startTimeoutMs: optionalNumber,
  profileWaitMs: optionalNumber,
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
])
