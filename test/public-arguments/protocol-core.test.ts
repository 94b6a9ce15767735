import { defineBrand } from '../../packages/protocol-core/src/index.ts'
import { optional, optionalObject, optionalText, testPublicFunctions } from '../support/public-arguments.ts'

testPublicFunctions([
  {
    name: 'defineBrand',
    call: defineBrand,
    args: [
      {
        parameter: 'options',
        right: {},
        takes: optionalObject,
        members: {
          name: optionalText,
          vendor: optionalText,
          application: optionalText,
          displayName: optionalText,
          pipePrefix: optionalText,
          xmlRoot: optionalText,
          appUrl: optionalText,
          updateUrl: optionalText,
          registryKey: optionalText,
          providers: optionalObject,
          defaultProvider: optional,
          requiredPerson: optional,
          defaultEngines: optional,
          readsOldSettings: optional,
        },
      },
    ],
  },
])
