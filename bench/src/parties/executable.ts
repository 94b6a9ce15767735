import { fileURLToPath } from 'node:url'

/** The wrapper's executable as it is built. */
export const executable = fileURLToPath(
  new URL('../../../packages/wrapper-host/dist/cli/service-webwrapper.js', import.meta.url),
)
