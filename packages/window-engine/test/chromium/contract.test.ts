import { describeContract } from '@service-link/test-kit/describe-contract'
import { canListProcesses, killRenderers, mainPid } from '@service-link/test-kit/processes'
import { hasBrowser, headless } from '@service-link/test-kit/test-window'

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
