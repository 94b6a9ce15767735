/**
 * Tests of wrapper-host that run inside Node for Windows, as patterns from its folder.
 */
export const hostSuites: readonly string[] = [
  'src/*/**/*.test.ts',
  'test/start/instance-{address,claim,claim-processes.deep,hand-off,place}.test.ts',
  'test/pipe/{client-session,pipe-server,session-*,silent-clients}.test.ts',
  'test/launch/{provider-modules,payload-file,xml-file}.test.ts',
  'test/settings/{carry-over,load,save}.test.ts',
  'test/log/log-file.test.ts',
  'test/doctor/{files,instance}.test.ts',
  'test/start/{native-launcher.deep,second-launch,wrapper-start}.test.ts',
  'test/command/*.test.ts',
]
