import {
  buildArguments,
  parseArguments,
  parseCommandLine,
  quotePosixShell,
  quoteWindowsCommandLine,
  readLaunchArguments,
  readLaunchWords,
} from '../../packages/cli-args/src/index.ts'
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
  ...Object.entries({
    parseArguments,
    readLaunchArguments,
    readLaunchWords,
    quotePosixShell,
    quoteWindowsCommandLine,
  }).flatMap(([name, call]) => [
    { name, call, args: [{ parameter: 'argv', right: ['id='] }] },
    {
      name: `${name} of one argument`,
      call: (one: never) => call([one]),
      args: [{ parameter: 'argv', right: 'id=', takes: texts }],
    },
  ]),
  ...[
    { name: 'parseArguments with options', call: parseArguments, parameter: 'argv', right: [] },
    { name: 'parseCommandLine', call: parseCommandLine, parameter: 'launch', right: { values: {} } },
  ].map(({ name, call, parameter, right }) => ({
    name,
    call,
    args: [
      { parameter, right },
      {
        parameter: 'options',
        right: {},
        takes: optionalObject,
        members: { culture: optionalText, onDropped: optional, brand: optional },
      },
    ],
  })),
  {
    name: 'parseCommandLine of values',
    call: (values: never) => parseCommandLine({ values }),
    args: [
      {
        parameter: 'values',
        right: { queryexercises: 'knee' },
        takes: ['an empty object'],
        members: { queryexercises: optionalText, openworkout: optional },
      },
    ],
  },
  {
    name: 'buildArguments',
    call: buildArguments,
    args: [
      {
        parameter: 'options',
        right: {},
        takes: ['an empty object'],
        members: {
          provider: optionalText,
          person: optional,
          queryExercises: optionalText,
          queryWorkouts: optionalText,
          openWorkout: optionalNumber,
          wait: optional,
          payload: optional,
          brand: optional,
        },
      },
    ],
  },
  {
    name: 'buildArguments with a person',
    call: (person: never) => buildArguments({ person }),
    args: [launchPerson],
  },
])
