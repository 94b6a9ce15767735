import { hostSuites } from './host-suites.ts'

/** The tests of a package that run in Node for Windows. */
export interface Suite {
  /** The project's name, also in `vitest.workspace.ts`. */
  readonly name: string
  /** Relative to the repository's root. */
  readonly folder: string
  /** Patterns relative to the folder. */
  readonly include: readonly string[]
  readonly exclude: readonly { readonly files: string; readonly why: string }[]
}

const include = ['src/**/*.test.ts', 'test/**/*.test.ts']

/** Deep tests run on the host. */
const deep = { files: '**/*.deep.test.ts', why: 'takes long, and is the same on every system' }

/** Every suite that runs on Windows. */
export const suites: readonly Suite[] = [
  { name: 'protocol-core', folder: 'packages/protocol-core', include, exclude: [deep] },
  { name: 'terminal', folder: 'internal/terminal', include, exclude: [deep] },
  { name: 'cli-args', folder: 'packages/cli-args', include, exclude: [deep] },
  {
    name: 'xml-input',
    folder: 'packages/xml-input',
    include,
    exclude: [{ files: 'test/read-xml{,.deep}.test.ts', why: 'compare with xmllint, a program of the host' }],
  },
  {
    name: 'pipe-client',
    folder: 'packages/pipe-client',
    include,
    exclude: [
      deep,
      {
        files: 'test/cli/process.test.ts',
        why: 'starts a process for each test, which takes a second here; native-service-pipe.windows.test.ts has the command',
      },
    ],
  },
  {
    name: 'jwt-payload',
    folder: 'packages/jwt-payload',
    include,
    exclude: [
      deep,
      { files: 'test/**/*.browser.test.ts', why: 'drive a browser, which Wine does not run' },
      { files: 'test/edge.test.ts', why: 'bundles the package, and runs it in a browser' },
      {
        files: 'test/cli/{service-payload,keygen}.test.ts',
        why: 'start processes, each of which takes a second here',
      },
      {
        files: 'test/{verify/attacks,explain/*}.test.ts',
        why: 'thousands of computations, the same on every system',
      },
    ],
  },
  { name: 'wrapper-host', folder: 'packages/wrapper-host', include: hostSuites, exclude: [] },
]
