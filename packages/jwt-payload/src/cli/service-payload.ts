#!/usr/bin/env node
import { processTerminal, typeSecret } from '@service-link/terminal'
import { runServicePayload } from './run-service-payload.ts'

const exitCode = await runServicePayload(
  process.argv.slice(2),
  Object.assign(processTerminal(2), { askSecret: typeSecret }),
)
// A failed write has set its own code.
process.exitCode ||= exitCode
