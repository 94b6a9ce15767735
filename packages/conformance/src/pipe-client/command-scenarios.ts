import { foldNames, indexNames } from '@service-link/protocol-core'
import type { Checks } from '../checks.ts'
import type { Scenario } from '../scenario.ts'
import { checkSuccess } from './check-end.ts'
import { checkMessages } from './check-messages.ts'
import { type Desk, type PipeClientSubject, wrapperVersion } from './open-pipe-client.ts'
import type { TapOptions } from './start-tap.ts'

type PipeClientScenario = Scenario<PipeClientSubject>

const everyScript = 'Kåre "Æ" \\ Ødegård 漢字 😀 </script>'

/** A reply of half a million bytes, with characters of every UTF-8 length. */
const users = Array.from({ length: 4000 }, (_, index) => ({
  id: index + 1,
  customId: 'å漢😀',
  firstname: everyScript,
}))

const workouts = [
  { id: 3, userId: 8, name: 'Kné 漢字', lastChangedAt: '2026-02-01T10:00:00Z' },
  { id: 4, userId: 8, name: 'Hip', lastChangedAt: '2025-02-01T10:00:00Z' },
]

const data = { users: [{ id: 8, customId: 'å-8', firstname: 'Kåre', lastname: 'Nordmann' }], workouts }
/** Members of an entry, whose names each mode spells in its own way. */
function membersOf(entry: unknown, ...names: readonly string[]): Readonly<Record<string, unknown>> {
  return foldNames(Object.entries(Object(entry)), indexNames(names)).known
}

/** A scenario in which the program asks once, and is answered. */
function asks({
  words,
  check,
  options,
  with: given = data,
  ...row
}: Omit<PipeClientScenario, 'run'> & {
  readonly words: readonly string[]
  readonly with?: object
  readonly options?: TapOptions
  check(result: unknown, checks: Checks, desk: Desk): void
}): PipeClientScenario {
  return {
    ...row,
    async run(program, { checks, signal }) {
      await using desk = await program.startWrapper(given, options)
      const result = checkSuccess(checks, await program.ask(desk.tap, signal, ...words))
      checkMessages(checks, desk.tap.connections)
      check(result, checks, desk)
    },
  }
}

function checkCalls(
  checks: Checks,
  { wrapper }: Desk,
  ...expected: readonly (readonly [string, object])[]
): void {
  const calls = wrapper.calls.map(({ handler, args }) => [handler, args])
  checks.equal('What reached the web app', calls, expected)
}

const checkNothing = (result: unknown, checks: Checks) => checks.equal('Standard output', result, undefined)

/** What a program asks and prints. */
export const commandScenarios: readonly PipeClientScenario[] = [
  asks({
    id: 'version',
    spec: '4.5',
    requirements: ['4.5-version', '4.5-envelope', '9-version-parts'],
    sentence: 'Asks for the version, and prints it as JSON text.',
    words: ['version'],
    check: (result, checks) => checks.equal('The version', result, wrapperVersion),
  }),
  asks({
    id: 'hide',
    spec: '4.5',
    requirements: ['4.5-hide'],
    sentence: 'Hides the window, and prints nothing.',
    words: ['hide'],
    check(result, checks, { wrapper }) {
      checkNothing(result, checks)
      checks.equal('The window', wrapper.window.state, 'minimised')
    },
  }),
  {
    id: 'show',
    spec: '4.5',
    requirements: ['4.5-show'],
    sentence: 'Shows a hidden window.',
    async run(program, { checks, signal }) {
      await using desk = await program.startWrapper()
      await program.ask(desk.tap, signal, 'hide')
      checkNothing(checkSuccess(checks, await program.ask(desk.tap, signal, 'show')), checks)
      checkMessages(checks, desk.tap.connections)
      checks.equal('The window', desk.wrapper.window.state, 'normal')
    },
  },
  asks({
    id: 'getlistofusers',
    spec: '4.5',
    requirements: ['4.5-getlistofusers'],
    sentence: 'Lists users: half a million bytes in every script.',
    with: { users },
    words: ['getlistofusers', 'customid=å漢😀'],
    check(result, checks, desk) {
      const found = Array.isArray(result) ? result : []
      checks.equal('The number of users', found.length, users.length)
      const last = membersOf(found.at(-1), 'id', 'firstname')
      checks.equal('The last user', last, { id: users.length, firstname: everyScript })
      checkCalls(checks, desk, ['getListOfUsers', { customId: 'å漢😀' }])
    },
  }),
  asks({
    id: 'getworkoutsforclient',
    spec: '4.5',
    requirements: ['4.5-getworkoutsforclient'],
    sentence: 'Lists the workouts of a user that are newer than a date.',
    words: ['getworkoutsforclient', 'userid=8', 'from=2026-01-01'],
    check(result, checks) {
      const found = Array.isArray(result) ? result : []
      checks.equal(
        'The workouts',
        found.map(each => membersOf(each, 'id', 'name')),
        [{ id: 3, name: 'Kné 漢字' }],
      )
    },
  }),
  asks({
    id: 'openworkout',
    spec: '4.5',
    requirements: ['4.5-openworkout'],
    sentence: 'Opens a workout, and prints nothing.',
    words: ['openworkout', 'id=3'],
    check(result, checks, desk) {
      checkNothing(result, checks)
      checkCalls(checks, desk, ['openWorkout', { id: 3 }])
    },
  }),
  asks({
    id: 'setcustomid',
    spec: '4.5',
    requirements: ['4.5-setcustomid'],
    sentence: 'Sets the customid of a user, and prints nothing.',
    words: ['setcustomid', 'userid=8', 'customid=Å-9'],
    check(result, checks, desk) {
      checkNothing(result, checks)
      checkCalls(checks, desk, ['setCustomId', { userId: 8, customId: 'Å-9' }])
    },
  }),
  asks({
    id: 'selectperson',
    spec: '4.5',
    requirements: ['4.5-selectperson', '2.3-custom-id'],
    sentence: 'Creates a person with names in every script, and prints who was created.',
    words: ['selectperson', 'customid=ny-漢-1', `firstname=${everyScript}`, 'lastname=Nordmann 😀'],
    check(result, checks, { wrapper }) {
      const found = membersOf(result, 'status', 'userid', 'customid')
      checks.equal('The answer', found, { status: 'created', userid: 9, customid: 'ny-漢-1' })
      const [{ handler, args } = { handler: 'nothing', args: {} }] = wrapper.calls
      const { customId, firstname, lastname } = Object(args)
      const person = { customId: 'ny-漢-1', firstname: everyScript, lastname: 'Nordmann 😀' }
      checks.equal(
        'What reached the web app',
        [handler, { customId, firstname, lastname }],
        ['selectPerson', person],
      )
    },
  }),
  asks({
    id: 'single-bytes',
    spec: 'reference/pipe',
    requirements: ['4.5-envelope'],
    sentence: 'Reads a reply that arrives in single bytes.',
    words: ['getlistofusers', 'customid=å-8'],
    options: { isSlow: true },
    check: (result, checks) =>
      checks.equal(
        'The users',
        (Array.isArray(result) ? result : []).map(each => membersOf(each, 'firstname')),
        [{ firstname: 'Kåre' }],
      ),
  }),
  asks({
    id: 'close',
    spec: '4.5',
    requirements: ['4.5-close'],
    sentence: 'Closes the wrapper, and is answered before it exits.',
    words: ['close'],
    check: checkNothing,
  }),
]
