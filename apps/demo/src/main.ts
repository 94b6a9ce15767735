// `npm run demo`: a service, a partner application and a wrapper. `-- --check` tells the whole story by itself.
import { parseArgs } from 'node:util'
import { tellStory } from './check/tell-story.ts'
import { showDemo } from './demo/show-demo.ts'

const help = `npm run demo [-- options]

Starts a service, a partner application and a wrapper on real components, and prints where they are.

  --check                 tell the whole story without a person, and exit 0 or 1
  --service-port <n>      port of the service (default 4280)
  --partner-port <n>      port of the partner application (default 4290)
  --no-wrapper            do not start the wrapper
  --help
`

const { values } = parseArgs({
  allowNegative: true,
  options: {
    check: { type: 'boolean' },
    wrapper: { type: 'boolean', default: true },
    'service-port': { type: 'string', default: '4280' },
    'partner-port': { type: 'string', default: '4290' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (values.help) process.stdout.write(help)
else if (values.check) process.exitCode = (await tellStory()) ? 0 : 1
else {
  await showDemo({
    servicePort: Number(values['service-port']),
    partnerPort: Number(values['partner-port']),
    startsWrapper: values.wrapper,
  })
}
