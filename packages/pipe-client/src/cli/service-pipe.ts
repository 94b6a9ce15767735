#!/usr/bin/env node
import { startProgram } from '@service-link/terminal/start-program'

await startProgram(
  'service-pipe',
  '>=20.19',
  4,
  async () => (await import('./run-service-pipe.ts')).runServicePipe,
)
// All data is written. On Windows an abandoned connection would hold the process for half a minute.
process.stderr.write('', () => process.exit())
