import { suites } from './suites.ts'

/** The used part of the test runner's report. */
export interface RunReport {
  readonly testResults: readonly {
    /** The file's path, with either kind of separator. */
    readonly name: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/** The names of the suites without a passed test. */
export function suitesWithoutTests({ testResults }: RunReport): readonly string[] {
  const hasPassed = (suite: string) =>
    testResults.some(
      ({ name, assertionResults }) =>
        name.replaceAll('\\', '/').includes(`/packages/${suite}/`) &&
        assertionResults.some(({ status }) => status === 'passed'),
    )
  return suites.map(({ name }) => name).filter(name => !hasPassed(name))
}
