import { NotChecked, type Scenario } from '../scenario.ts'
import { checkFailure, checkSuccess } from './check-end.ts'
import { type PipeClientSubject, wrapperVersion } from './open-pipe-client.ts'

/** The display of the program, the desktops of the records, and whether the program asks the wrapper of the first one. */
const rows: readonly (readonly [
  id: string,
  display: string,
  desktops: readonly string[],
  isFound: boolean,
  sentence: string,
])[] = [
  ['own-desktop', ':1', [':1', ':0'], true, 'Chooses, of two wrappers, the one of its own desktop.'],
  ['own-screen', ':1.0', [':1', ':0', ''], true, 'Counts the screens of a display as one desktop.'],
  ['without-desktop', ':1', ['', ':0'], true, 'Chooses a wrapper without a desktop where its own has none.'],
  ['any-desktop', '', [':0'], true, 'Chooses the wrapper of any desktop where it has none itself.'],
  ['other-desktop', ':1', [':0'], false, 'Does not use the wrapper of another desktop.'],
  ['two-wrappers', ':1', [':1', ':1'], false, 'Does not choose between two wrappers of its desktop.'],
]

/** Which wrapper a program finds. Only on Linux the environment tells the desktop. */
export const desktopScenarios: readonly Scenario<PipeClientSubject>[] = rows.map(
  ([id, display, desktops, isFound, sentence]) => ({
    id,
    spec: 'reference/pipe',
    requirements: ['4.5-name'],
    sentence,
    async run(program, { checks, signal }) {
      if (process.platform !== 'linux')
        throw new NotChecked('Only on Linux the environment tells the desktop.')
      await using desk = await program.startWrapper({}, { desktops })
      const end = await program.ask({ userFolder: desk.tap.userFolder, display }, signal, 'version')
      if (isFound) checks.equal('The version', checkSuccess(checks, end), wrapperVersion)
      else checkFailure(checks, end, desktops.length > 1 ? 'no choice' : 'no wrapper')
      const requests = desk.tap.connections.flatMap(connection => connection.requests)
      if (!isFound) checks.equal('The number of requests that were sent', requests.length, 0)
    },
  }),
)
