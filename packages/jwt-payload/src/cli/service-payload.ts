#!/usr/bin/env node
import { startProgram } from '@service-link/terminal/start-program'

await startProgram('service-payload', '>=20.19', 2, async () => {
  const { runServicePayload } = await import('./run-service-payload.ts')
  const { typeSecret } = await import('@service-link/terminal/type-secret')
  return (argv, terminal) => runServicePayload(argv, Object.assign(terminal, { askSecret: typeSecret }))
})
