import { hasBrowser, headless } from '../support/browser.ts'
import { describeContract } from '../support/contract-tests.ts'
import { canListProcesses, killRenderers, mainPid } from '../support/processes.ts'

if (hasBrowser)
  describeContract('Chromium without a window', {
    engine: headless,
    provoke: canListProcesses
      ? {
          crashPage: ({ profileFolder }) => killRenderers(profileFolder),
          loseEngine: async ({ profileFolder }) => void process.kill(await mainPid(profileFolder), 'SIGKILL'),
        }
      : {},
  })
