import { buildXmlInput, parseXmlInput, readXml } from '../../packages/xml-input/src/index.ts'
import {
  launchPerson,
  optional,
  optionalNumber,
  optionalObject,
  optionalText,
  testPublicFunctions,
  texts,
} from '../support/public-arguments.ts'

testPublicFunctions([
  {
    name: 'parseXmlInput',
    call: parseXmlInput,
    args: [
      { parameter: 'file', right: Buffer.from('<serviceinput exercisequery="knee"/>'), takes: texts },
      {
        parameter: 'options',
        right: {},
        takes: optionalObject,
        members: {
          brand: optional,
          culture: optionalText,
          onDropped: optional,
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
        right: { queryExercises: 'knee' },
        takes: ['an empty object'],
        members: {
          person: optional,
          queryExercises: optionalText,
          queryWorkouts: optionalText,
          deleteAfterRead: optional,
          brand: optional,
        },
      },
    ],
  },
  {
    name: 'readXml',
    call: readXml,
    args: [
      { parameter: 'text', right: '<note/>', takes: texts },
      {
        parameter: 'limits',
        right: {},
        takes: optionalObject,
        members: { maxDepth: optionalNumber, maxElements: optionalNumber },
      },
    ],
  },
  {
    name: 'buildXmlInput with a person',
    call: (person: never) => buildXmlInput({ person }),
    args: [launchPerson],
  },
])
