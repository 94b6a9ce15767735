import { execFileSync } from 'node:child_process'
import { ownEngine } from '../../../docs/examples/own-engine/own-engine.ts'
import { describeContract } from './support/contract-tests.ts'
import { canListProcesses } from './support/processes.ts'

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
