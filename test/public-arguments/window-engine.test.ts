import { createChromiumEngine } from '../../packages/window-engine/src/index.ts'
import { engineContract } from '../../packages/window-engine/src/testing/index.ts'
import { testPublicFunctions } from '../support/public-arguments.ts'

const engine = createChromiumEngine()

await testPublicFunctions(
  'window-engine',
  {
    createChromiumEngine: {
      takes: {
        'options?': [
          {},
          '{ name?: text, executable?: text, preferredFamily?: text, isHeadless?, startTimeoutMs?: milliseconds, openExternal?, environment?: object }',
        ],
      },
    },
    selectEngine: { takes: { name: ['EoWebBrowser', 'text'], 'options?': [{}, '{ openExternal? }'] } },
    engineContract: {
      takes: {
        options: [{ engine }, '{ engine: object, loadsPages?, provoke?: object, waitMs?: milliseconds }'],
      },
    },
    'engineContract with provoke': {
      call: (provoke: never) => engineContract({ engine, provoke }),
      takes: { 'provoke?': [{}, '{ userClose?, press? }'] },
    },
  },
  'externalOpener findOnPath probeEngine windowPlatform',
)
