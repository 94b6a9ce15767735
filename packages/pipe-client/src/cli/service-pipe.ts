#!/usr/bin/env node
import { processTerminal } from './process-terminal.ts'
import { runServicePipe } from './run-service-pipe.ts'

const exitCode = await runServicePipe(process.argv.slice(2), processTerminal())
// Not over the code that a failed write has set.
process.exitCode ||= exitCode
