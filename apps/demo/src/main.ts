// `npm run demo`: a service, a partner application, a test e-ID and a wrapper. `-- --check` checks all of it without
// a user.
import { parseArgs } from 'node:util'

const help = `npm run demo [-- options]

Starts a service, a partner application, a test e-ID and a wrapper on real components, and prints where they are.

  --check                 check everything without a person; exit 0, 1 for a failed step, or 2 if
                          the main part was skipped, because there is no browser
  --service-port <n>      port of the service, 0 for a free one (default 4280)
  --partner-port <n>      port of the partner application, 0 for a free one (default 4290)
  --e-id-port <n>         port of the test e-ID, 0 for a free one (default 4300)
  --home-port <n>         port of the landing page, 0 for a free one (default 4270)
  --no-wrapper            do not start the wrapper
  --no-open               do not open the landing page in your browser
  --no-install            neither install nor fetch a browser
  --help
`

async function main(): Promise<number> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      check: { type: 'boolean' },
      open: { type: 'boolean', default: true },
      wrapper: { type: 'boolean', default: true },
      'service-port': { type: 'string', default: '4280' },
      'partner-port': { type: 'string', default: '4290' },
      'e-id-port': { type: 'string', default: '4300' },
      'home-port': { type: 'string', default: '4270' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const ports = {
    servicePort: readPort('--service-port', values['service-port']),
    partnerPort: readPort('--partner-port', values['partner-port']),
    eIdPort: readPort('--e-id-port', values['e-id-port']),
    homePort: readPort('--home-port', values['home-port']),
  }
  // Imported late, so that help and refusals come at once.
  if (values.check) {
    const { tellStory } = await import('./check/tell-story.ts')
    return tellStory()
  }
  const { showDemo } = await import('./demo/show-demo.ts')
  await showDemo({
    ...ports,
    wrapper: values.wrapper ? 'shown' : 'none',
    opensBrowser: values.open,
  })
  return 0
}

function readPort(option: string, text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535) throw new UsageError(`${option} takes a number from 0 to 65535.`)
  return port
}

class UsageError extends Error {}

/** Explains a failed start in one sentence if the user can mend it; else `undefined`. */
function explain(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message
  if (error instanceof Error && error.name === 'AddressTakenError')
    return `${error.message} The ports are --service-port, --partner-port, --e-id-port and --home-port.`
  const { code, message = '' } = error as NodeJS.ErrnoException
  if (code?.startsWith('ERR_PARSE_ARGS_'))
    return `${message.split(/\.\s/, 1)[0]}; --help names what there is.`
  return undefined
}

try {
  process.exitCode = await main()
} catch (error) {
  const sentence = explain(error)
  if (sentence === undefined) throw error
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 2
}
