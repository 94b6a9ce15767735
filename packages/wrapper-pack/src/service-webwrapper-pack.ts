#!/usr/bin/env node
import { startProgram } from '@service-link/terminal/start-program'

// Incomplete folders are also removed when the terminal closes.
process.once('SIGHUP', () => process.emit('SIGTERM', 'SIGTERM'))
await startProgram(
  'service-webwrapper-pack',
  '^22.18.0 || >=24.11.0',
  1,
  async () => (await import('./run-service-webwrapper-pack.ts')).runServiceWebwrapperPack,
)
