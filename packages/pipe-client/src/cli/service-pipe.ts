#!/usr/bin/env node
import { processTerminal } from '@service-link/terminal'
import { runServicePipe } from './run-service-pipe.ts'

const exitCode = await runServicePipe(process.argv.slice(2), processTerminal(4))
// A failed write has set its own code.
process.exitCode ||= exitCode
// All data is written. On Windows an abandoned connection would hold the process for half a minute.
process.stderr.write('', () => process.exit())
