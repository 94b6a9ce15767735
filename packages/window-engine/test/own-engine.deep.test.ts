import { execFileSync } from 'node:child_process'
import { describeContract } from '@service-link/test-kit/describe-contract'
import { canListProcesses } from '@service-link/test-kit/processes'
import { ownEngine } from '../examples/own-engine/own-engine.ts'

// It draws nothing: no page of a browser, no button, no user.
describeContract('the engine of the guide', {
  engine: ownEngine,
  loadsPages: false,
  provoke: {
    async hangPage({ window, events }) {
      window.call('hang', { timeoutMs: 60_000 }).catch(() => undefined)
      await events.next('message', ({ value }) => value === 'hanging')
    },
    ...(canListProcesses && {
      crashPage: () => {
        const [pid] = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'own-page[.]mjs'])
          .toString()
          .split('\n')
        process.kill(Number(pid), 'SIGKILL')
      },
    }),
  },
})
