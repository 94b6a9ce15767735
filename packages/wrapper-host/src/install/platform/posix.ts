import { askPipes } from '../../doctor/ask-pipes.ts'
import type { InstallPlatform } from './install-platform.ts'

/** Linux and macOS: the file is all there is. */
export const posixInstall: InstallPlatform = {
  note: async () => undefined,
  forget: async () => undefined,
  // The folder of the pipes tells whose each is.
  findRunning: async brand =>
    ((await askPipes(brand, process.env)) ?? [])
      .filter(({ state }) => state === 'answers')
      .map(({ pid }) => pid),
}
