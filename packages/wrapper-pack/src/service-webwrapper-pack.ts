#!/usr/bin/env node
import { processTerminal } from '@service-link/command-line'
import { runPackCommand } from './pack-command.ts'

// Incomplete folders are also removed when the terminal closes.
process.once('SIGHUP', () => process.emit('SIGTERM', 'SIGTERM'))
const exitCode = await runPackCommand(process.argv.slice(2), processTerminal(1))
process.exitCode ||= exitCode
