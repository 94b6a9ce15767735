#!/usr/bin/env node
import { processTerminal } from './process-terminal.ts'
import { runServicePipe } from './run-service-pipe.ts'

const exitCode = await runServicePipe(process.argv.slice(2), processTerminal())
// Not over the code that a failed write has set.
process.exitCode ||= exitCode
// What was printed has been written. A connection that was given up while it waited for room would hold a process of Windows for half
// a minute: the system's own wait is not to be ended.
process.stderr.write('', () => process.exit())
