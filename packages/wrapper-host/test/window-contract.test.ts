import { describeContract } from './_contract-tests.ts'
import { hasBrowser, headless } from './_window-browser.ts'
import { canListProcesses, killRenderers, mainPid } from './_window-processes.ts'

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
