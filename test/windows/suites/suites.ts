/** The tests of a package that run in Node for Windows. */
export interface Suite {
  /** The project's name, also in `vitest.workspace.ts`. */
  readonly name: string
  /** Patterns relative to the package's folder: pipes, paths, processes, registry. The rest is the same on every system. */
  readonly include: readonly string[]
}

/** Every suite that runs on Windows. */
export const suites: readonly Suite[] = [
  {
    name: 'protocol-core',
    include: ['src/{person/machine-culture,wrapper/user-folder,windows/*}.test.ts'],
  },
  { name: 'cli-args', include: ['test/process.test.ts'] },
  { name: 'jwt-payload', include: ['test/cli/{key-files,open}.test.ts'] },
  {
    name: 'pipe-client',
    include: [
      'src/{find,launch,platform,running}/*.test.ts',
      'test/classic/{end-without-reply,exchange,exchanged-socket}.test.ts',
      'test/{client,find,launch}/*.test.ts',
      'test/session/{bounds,ends,turns}.test.ts',
    ],
  },
  {
    name: 'wrapper-host',
    include: [
      'src/{files,start}/*.test.ts',
      'src/cli/forget-user.test.ts',
      'test/start/instance-{address,claim-processes.deep,hand-off,place}.test.ts',
      'test/start/{native-launcher.deep,second-launch,wrapper-start}.test.ts',
      'test/pipe/{client-session,pipe-server,session-end,session-frames,session-limits}.test.ts',
      'test/launch/{provider-modules,payload-file,xml-file}.test.ts',
      'test/settings/{carry-over,load,save}.test.ts',
      'test/log/log-file.test.ts',
      'test/doctor/{files,instance}.test.ts',
    ],
  },
]
