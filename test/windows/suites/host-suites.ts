/** Tests of wrapper-host that run inside Node for Windows, as patterns from its folder. Those of windows need a browser there. */
export const hostSuites: readonly string[] = [
  'src/*.test.ts',
  'src/!(window)/**/*.test.ts',
  'test/instance-*.test.ts',
  'test/pipe-client-session.test.ts',
  'test/pipe-server.test.ts',
  'test/pipe-session-*.test.ts',
  'test/providers-{modules,payload-file,xml-file}.test.ts',
  'test/log-file.test.ts',
  'test/command-*.test.ts',
  'test/settings-carry-over.test.ts',
]
