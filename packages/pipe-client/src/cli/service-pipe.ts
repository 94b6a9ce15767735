#!/usr/bin/env node
import { runServicePipe } from './run-service-pipe.ts'

// A reader that has gone away (`service-pipe list | head -0`) is no failure: the command was carried out.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.exitCode = 4
})

const { exitCode, stdout, stderr } = await runServicePipe(process.argv.slice(2), {
  isForPerson: process.stdout.isTTY === true,
})
process.exitCode = exitCode
process.stderr.write(stderr)
process.stdout.write(stdout)
