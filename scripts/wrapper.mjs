// The wrapper from its sources, with the demo's application root unless another is given.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const path = relative => fileURLToPath(new URL(relative, import.meta.url))
const wrapper = spawn(
  process.execPath,
  [
    '-C',
    '@service-link/source',
    path('../packages/wrapper-host/src/cli/service-webwrapper.ts'),
    ...process.argv.slice(2),
  ],
  {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
    env: { SERVICE_WRAPPER_ROOT: path('../apps/demo/wrapper-root'), ...process.env },
  },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => wrapper.kill(signal))
wrapper.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
})
