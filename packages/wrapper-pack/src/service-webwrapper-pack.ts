#!/usr/bin/env node
import { processTerminal } from '@service-link/terminal'
import { runServiceWebwrapperPack } from './run-service-webwrapper-pack.ts'

// Incomplete folders are also removed when the terminal closes.
process.once('SIGHUP', () => process.emit('SIGTERM', 'SIGTERM'))
const exitCode = await runServiceWebwrapperPack(process.argv.slice(2), processTerminal(1))
process.exitCode ||= exitCode
