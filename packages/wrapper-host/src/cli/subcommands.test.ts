import { defaultBrand, defineBrand } from '@service-link/protocol-core'
import { memoryTerminal } from '@service-link/terminal/testing'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { helpText, runSubcommand } from './subcommands.ts'

async function run(...argv: string[]) {
  const terminal = memoryTerminal()
  const identity = { brand: defaultBrand, version: '3.1.0.0', programName: 'wrapper' }
  const exitCode = await runSubcommand(argv, identity, terminal)
  return { exitCode, printed: terminal.printed(), told: terminal.told() }
}

test.each<[argv: string[], sentence: string]>([
  [['installer'], "Missing required argument 'step'."],
  [['installer', 'clsoe'], 'Step: Allowed choices are close, suspend, resume, forget.'],
  [['installer', 'constructor'], 'Step: Allowed choices are close, suspend, resume, forget.'],
  [['installer', 'settle'], 'Step: Allowed choices are close, suspend, resume, forget.'],
  [['installer', 'close', 'now'], "Too many arguments for 'installer'."],
  [['doctor', '--html'], 'There is no such option.'],
  [['doctor', 'now'], 'doctor takes no arguments.'],
  [['settings', '--yaml'], 'There is no such option.'],
  [['settings', 'Zoom'], 'settings takes no arguments.'],
  [['settings', '--json=1'], ''],
])('%j is refused with its reason', async (argv, sentence) => {
  const { exitCode, printed, told } = await run(...argv)
  expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: '' })
  expect(told).toContain(`wrapper: ${sentence}`)
  expect(told).toContain(`[ERR_USAGE]\n→ See wrapper ${argv[0]} --help\n`)
})

test.each([[['--help']], [['help']], [['-h']], [['/?']], [['id=1', '--', '--help']]])(
  '%j prints the help of a launch and the subcommands',
  async argv => {
    expect(await run(...argv)).toEqual({ exitCode: 0, printed: helpText('wrapper'), told: '' })
  },
)

test('the help names the arguments that the brand requires of a person', () => {
  const brand = defineBrand({ requiredPerson: ['customId', 'lastname'] })
  expect(helpText('wrapper')).toMatch(/required:\s+id, firstname, lastname, dateofbirth\n/)
  expect(helpText('wrapper', brand)).toMatch(/required:\s+id, lastname\n/)
})

test('--version prints the version of the package and of the wrapper', async () => {
  const printed = `${manifest.version}, wrapper 3.1.0.0\n`
  expect(await run('--version')).toEqual({ exitCode: 0, printed, told: '' })
})

test('the help of each subcommand names its exit codes', async () => {
  const overview = helpText('wrapper')
  for (const subcommand of ['settings', 'doctor', 'installer']) {
    expect(overview).toMatch(new RegExp(`^  ${subcommand} `, 'm'))
    const { exitCode, printed, told } = await run(subcommand, '--help')
    expect({ exitCode, told }).toEqual({ exitCode: 0, told: '' })
    expect(printed).toMatch(new RegExp(`^Usage: wrapper ${subcommand} `))
    expect(printed).toMatch(/Exit codes: 0 .*, 1 .*, 2 other/s)
    expect(await run('help', subcommand)).toEqual({ exitCode: 0, printed, told: '' })
  }
})
