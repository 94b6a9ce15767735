import { buildXmlInput } from '../../packages/xml-input/src/index.ts'
import { launchPerson, testPublicFunctions } from '../support/public-arguments.ts'

await testPublicFunctions(
  'xml-input',
  {
    parseXmlInput: {
      takes: {
        file: [Buffer.from('<serviceinput exercisequery="knee"/>'), 'text'],
        'options?': [{}, '{ brand?, culture?, onDropped? }'],
      },
    },
    buildXmlInput: {
      takes: {
        options: [
          { queryExercises: 'knee' },
          '{ person?, queryExercises?: text, queryWorkouts?: text, deleteAfterRead?, brand? }',
        ],
      },
    },
    'buildXmlInput with a person': {
      call: (person: never) => buildXmlInput({ person }),
      takes: { 'person?': launchPerson },
    },
    readXml: {
      takes: { text: ['<note/>', 'text'], 'limits?': [{}, '{ maxDepth?: count, maxElements?: count }'] },
    },
  },
  'decodeXml escapeXml findForbiddenCharacter locateXml',
)
