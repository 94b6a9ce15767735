#!/usr/bin/env node
import { startProgram } from '@service-link/terminal/start-program'

await startProgram(
  'service-conformance',
  '^22.18.0 || >=24.11.0',
  1,
  async () => (await import('./run-service-conformance.ts')).runServiceConformance,
)
