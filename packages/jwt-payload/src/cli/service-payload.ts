#!/usr/bin/env node
import { processTerminal } from './process-terminal.ts'
import { runServicePayload } from './run-service-payload.ts'

const exitCode = await runServicePayload(process.argv.slice(2), processTerminal())
// Not over the code that a failed write has set.
process.exitCode ||= exitCode
