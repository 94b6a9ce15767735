import { styleText } from 'node:util'
import { ownUserFolder } from '@service-link/pipe-client/running'
import { type Brand, defaultBrand, personFieldNames } from '@service-link/protocol-core'
import { findNearName } from '@service-link/protocol-core/errors'
import {
  Argument,
  createProgram,
  type Program,
  parseWords,
  printJson,
  processTerminal,
  type Terminal,
  tellFailure,
  UsageError,
} from '@service-link/terminal'
import manifest from '../../package.json' with { type: 'json' }
import { formatFindings, runDoctor } from '../doctor/run-doctor.ts'
import { describeSettings, settingsText } from '../settings/describe-settings.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'
import { forgetRegistry } from '../start/note-installation.ts'
import { closeWrappers, forgetUser, resumeWrapper, suspendWrappers } from './installer.ts'
import type { ProgramIdentity } from './program-identity.ts'
import { runOnDesktops } from './run-on-desktops.ts'
import type { TestOptions } from './test-subcommand.ts'

type ExitCode = 0 | 1 | 2

type Run = (terminal: Terminal) => Promise<ExitCode>

const launchHelp = (brand: Brand) => `
Arguments of a launch:
  provider="<type>, <assembly>"   provider of this launch; default: the setting ProtocolProvider
  id= firstname= lastname= dateofbirth= email=
                                  the person to select or create; required:
                                  ${requiredArguments(brand).join(', ')}
  queryexercises=<text>           search exercises
  queryworkouts=<text>            search workouts
  openworkout=<id>                open a workout
  file.xml                        commands in an XML file, with the XML provider
  payload=@<file>                 signed payload of the partner link, in a file; it brings the person
  wait=true                       end only when the web app has taken the commands
  <name>=<value>                  any other: a launch parameter, for the web app

Exit codes: 0 taken, 1 the wrapper failed and closed, 2 refused (the reason is on standard
error).

Environment, unless the wrapper is packed: SERVICE_WRAPPER_ROOT (application root),
SERVICE_WRAPPER_DATA (per-user folder), SERVICE_BROWSER (browser).`

function requiredArguments({ requiredPerson }: Brand): readonly string[] {
  return personFieldNames('arguments', requiredPerson).flatMap(({ name, isRequired }) =>
    isRequired ? [name] : [],
  )
}

/**
 * Carries out `doctor`, `settings`, `installer`, `test`, `help`, `--version` or `--help`. Returns the exit code: 0 nothing is wrong, 1
 * something is, 2 the arguments cannot be understood.
 */
export async function runSubcommand(
  argv: readonly string[],
  identity: ProgramIdentity,
  terminal: Terminal = processTerminal(1),
): Promise<ExitCode> {
  const { programName } = identity
  try {
    let chosen: Run | undefined
    const program = makeProgram(identity, run => {
      chosen = run
    })
    const own = ['--version', 'help', ...program.commands.map(each => each.name())]
    const isSubcommand = own.includes(argv[0] ?? '')
    const help = parseWords(program, isSubcommand ? argv : ['--help'])
    if (help !== undefined) await terminal.print(help)
    return (await chosen?.(terminal)) ?? 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const advice = `See ${programName} ${argv[0]} --help`
    const { code, docsUrl, message: sentence } = error
    tellFailure(terminal, programName, { sentence, code, advice, docsUrl })
    return 2
  }
}

/**
 * The text that the program prints for `--help`.
 *
 * @param programName as its user types it
 * @param brand names the required arguments. Default: the brand of the specification
 */
export function helpText(programName: string, brand: Brand = defaultBrand): string {
  return parseWords(makeProgram({ programName, brand, version: '' }), ['--help']) ?? ''
}

/**
 * The sentence of a refused launch with its code, and the subcommand that the first word was probably meant to be: only integrators'
 * providers take words.
 */
export function addHint(
  { message, code }: { readonly message: string; readonly code: string },
  [word = '']: readonly string[],
): string {
  const { commands } = makeProgram({ programName: '', brand: defaultBrand, version: '' })
  const meant = findNearName(word, [...commands.map(each => each.name()), 'help'])
  const refusal = `${message} (${code})`
  return meant === undefined ? refusal : `${refusal}\nDid you mean ${meant}?`
}

/** @param choose gets what the parsed subcommand does */
function makeProgram(identity: ProgramIdentity, choose: (run: Run) => void = () => undefined): Program {
  const { programName, brand, version } = identity
  const program = createProgram(
    programName,
    'Starts the wrapper, or hands these arguments to the one that runs and ends.',
    `${manifest.version}, wrapper ${version}`,
  )
    .usage('[key=value …] [file.xml]\n       <subcommand>')
    .addHelpText('after', launchHelp(brand))
  program
    .command('settings')
    .description(
      'Shows each setting that the next start has, where it comes from, and what is wrong. Changes nothing.',
    )
    .option('--json', 'prints a JSON object', false)
    .addHelpText('after', '\nExit codes: 0 all is right, 1 a file or a value is not, 2 other arguments.')
    .action(({ json }) => choose(terminal => showSettings(identity, json, terminal)))
  program
    .command('doctor')
    .description(
      'Shows whether this machine has what a wrapper needs, and what to do about the rest. Changes nothing, does not disturb a running wrapper, and takes at most about ten seconds.',
    )
    .option('--json', 'prints a JSON array of {check, status, sentence, remedy}', false)
    .addHelpText(
      'after',
      `
Exit codes: 0 nothing is wrong (there may be warnings), 1 there is a problem, 2 other
arguments. The findings name folders, and so perhaps the user: read them before you pass
them on.`,
    )
    .action(({ json }) => choose(terminal => showFindings(identity, json, terminal)))
  program
    .command('installer')
    .summary(
      'For installers: closes this user’s wrappers, starts them again, or removes what is kept for this user.',
    )
    .description('For installers.')
    .usage('close|suspend|resume|forget')
    .addArgument(new Argument('<step>', 'what to do').choices(Object.keys(steps)))
    .option(
      '--all-desktops',
      'suspend and resume: on each desktop, as its user. For an installer that runs as the system',
      false,
    )
    .addHelpText('after', installerHelp)
    .action((step, { allDesktops }) => choose(() => carryOut(step, allDesktops, brand)))
  program
    .command('test')
    .summary('Starts a wrapper for a test in any language: real pipe, web app in memory, no window.')
    .description(
      'Starts a wrapper for a test: pipe and hand-off are real; the web app is in memory, without window, service or log-in.',
    )
    .option('--signed-out', 'nobody is signed in at the start', false)
    .option('--data <file>', 'persons and workouts of the web app')
    .option(
      '--folder <folder>',
      'keeps the wrapper’s folders in this one, for a restart. Default: temporary ones',
    )
    .addHelpText('after', testHelp)
    .action((options: TestOptions) =>
      choose(async terminal =>
        (await import('./test-subcommand.ts')).runTestSubcommand(options, identity, terminal),
      ),
    )
  return program
}

const installerHelp = `
  close     asks this user’s wrappers to close, and waits for it
  suspend   does so for a new version: the user is told, and unsaved forms are waited for
            (two minutes at most)
  resume    starts the wrapper again where suspend has closed it
  forget    removes what is kept for this user, but for the settings

Exit codes: 0 done, 1 not all of it, 2 other arguments.`

const testHelp = `
The first line on standard output is a JSON object: pid, pipe (its name), address, userFolder,
applicationRoot. pipe and address are missing if the pipe could not be made: standard error
says why. Then each line on standard input is a command. One line of JSON answers it:
its value, {} without a value, or {"error", "code", "docs"}.

  signin            signs a user in
  signout           signs the user out
  select <person>   puts a person in focus, as the user does: select {"customId": "4711"}
  calls             every call of the web app: [{"handler", "args"}, …]
  next              the next call that no next has returned; waits 10 seconds for it
  events            everything that the page was told and told, in order
  close             exits the wrapper

It ends with its standard input, with the wrapper, and at SIGTERM. The file after --data:
{"users": [{"id": 17, "customId": "4711"}], "workouts": [{"id": 3, "userId": 17}]}

Exit codes: 0 ended, 1 the wrapper failed, 2 other arguments.`

const colors = { ok: 'green', warning: 'yellow', problem: 'red', skipped: 'gray' } as const

async function showFindings(
  { brand, version, own = {} }: ProgramIdentity,
  isJson: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  const providers = Object.keys(own.providers ?? {})
  const findings = await runDoctor({ brand, version, engine: own.engine, providers })
  if (isJson) await printJson(findings, terminal)
  else
    await terminal.print(
      formatFindings(findings, (status, text) => styleText(colors[status], text, { stream: process.stdout })),
    )
  return findings.some(({ status }) => status === 'problem') ? 1 : 0
}

async function showSettings(
  { brand, version, own = {} }: ProgramIdentity,
  isJson: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  const options = { brand, folders: locateFolders(brand), version }
  const report = await describeSettings(options, Object.keys(own.providers ?? {}))
  if (isJson) await printJson(report, terminal)
  else await terminal.print(settingsText(report))
  return report.isRight ? 0 : 1
}

/** What an installer asks for. Each returns whether it is done. */
const steps: Readonly<Record<string, (brand: Brand) => Promise<boolean>>> = {
  close: brand => closeWrappers(brand),
  suspend: suspendWrappers,
  resume: resumeWrapper,
  forget,
}

/** Longest wait for the users' wrappers on all desktops, in milliseconds: each waits for two minutes at most. */
const allDesktopsMs = 180_000

async function carryOut(step: string, isOnAllDesktops: boolean, brand: Brand): Promise<ExitCode> {
  if (isOnAllDesktops && step !== 'suspend' && step !== 'resume')
    throw new UsageError(`--all-desktops goes with suspend and resume, not with ${step}.`)
  if (isOnAllDesktops) return runOnDesktops(['installer', step], allDesktopsMs) ? 0 : 1
  // The error may hold personal data, such as a path.
  return (await steps[step]?.(brand).catch(() => false)) ? 0 : 1
}

async function forget(brand: Brand): Promise<boolean> {
  // A folder that a variable names belongs to whoever set the variable.
  const { SERVICE_WRAPPER_DATA: _moved, ...environment } = process.env
  const left = await forgetUser(ownUserFolder(brand, environment))
  await forgetRegistry(brand)
  return left === 0
}
