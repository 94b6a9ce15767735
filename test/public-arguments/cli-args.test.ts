import {
  buildArguments,
  parseArguments,
  parseCommandLine,
  quotePosixShell,
  quoteWindowsCommandLine,
  readLaunchArguments,
  readLaunchWords,
} from '../../packages/cli-args/src/index.ts'
import { launchPerson, testPublicFunctions } from '../support/public-arguments.ts'

const options = [{}, '{ culture?, onDropped?, brand? }'] as const

await testPublicFunctions('cli-args', {
  parseArguments: { takes: { argv: [['id='], 'other'], 'options?': options } },
  'parseArguments of one argument': {
    call: (one: never) => parseArguments([one]),
    takes: { argv: ['id=', 'text'] },
  },
  ...Object.fromEntries(
    Object.entries({
      readLaunchArguments,
      readLaunchWords,
      quotePosixShell,
      quoteWindowsCommandLine,
    }).flatMap(([name, call]) => [
      [name, { takes: { argv: [['id='], 'other'] } }],
      [`${name} of one argument`, { call: (one: never) => call([one]), takes: { argv: ['id=', 'text'] } }],
    ]),
  ),
  parseCommandLine: {
    takes: { launch: [{ values: {} }, '{ values: object }'], 'options?': options },
  },
  'parseCommandLine of values': {
    call: (values: never) => parseCommandLine({ values }),
    takes: { values: [{ queryexercises: 'knee' }, '{ queryexercises?: text, openworkout? }'] },
  },
  buildArguments: {
    takes: {
      options: [
        {},
        '{ provider?: text, person?, queryExercises?: text, queryWorkouts?: text, openWorkout?: number, clearPerson?: object, signOut?, wait?, payload?, brand? }',
      ],
    },
  },
  'buildArguments with a person': {
    call: (person: never) => buildArguments({ person }),
    takes: { 'person?': launchPerson },
  },
  'buildArguments with a person to clear': {
    call: (clearPerson: never) => buildArguments({ clearPerson }),
    takes: { 'clearPerson?': [{ customId: '1' }, '{ customId: text }'] },
  },
})
