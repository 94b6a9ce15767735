import { buildXmlInput, parseXmlInput } from '../../packages/xml-input/src/index.ts'
import { optional, optionalObject, optionalText, testPublicFunctions } from '../support/public-arguments.ts'

testPublicFunctions([
  {
    name: 'parseXmlInput',
    call: parseXmlInput,
    args: [
      { parameter: 'bytes', right: Buffer.from('<serviceinput exercisequery="knee"/>') },
      {
        parameter: 'options',
        right: {},
        takes: optionalObject,
        members: {
          brand: optional,
          culture: optionalText,
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
          exerciseQuery: optionalText,
          workoutQuery: optionalText,
          deleteAfterRead: optional,
          brand: optional,
        },
      },
    ],
  },
])
