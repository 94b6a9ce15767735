// Starts the wrapper from its sources. Default application root: the demo's.
import { fileURLToPath } from 'node:url'
import { runChild } from './run-child.mjs'

const path = relative => fileURLToPath(new URL(relative, import.meta.url))
runChild(
  process.execPath,
  [
    '-C',
    '@service-link/source',
    path('../packages/wrapper-host/src/cli/service-webwrapper.ts'),
    ...process.argv.slice(2),
  ],
  {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env: { SERVICE_WRAPPER_ROOT: path('../apps/demo/wrapper-root'), ...process.env },
  },
)
