#!/usr/bin/env node
import { processTerminal } from '@service-link/terminal'
import { runServicePayload } from './run-service-payload.ts'

const exitCode = await runServicePayload(process.argv.slice(2), processTerminal(2))
// A failed write has set its own code.
process.exitCode ||= exitCode
