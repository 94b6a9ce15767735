import { suites } from './suites.ts'

/** What the test runner reports about a run, as far as it is looked at here. */
export interface RunReport {
  readonly testResults: readonly {
    /** The file's path, with either kind of separator. */
    readonly name: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/** The suites of which no test has passed, by name. */
export function suitesWithoutTests({ testResults }: RunReport): readonly string[] {
  const hasPassed = (folder: string) =>
    testResults.some(
      ({ name, assertionResults }) =>
        name.replaceAll('\\', '/').includes(`/${folder}/`) &&
        assertionResults.some(({ status }) => status === 'passed'),
    )
  return suites.filter(({ folder }) => !hasPassed(folder)).map(({ name }) => name)
}
