import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInstalled } from './is-installed.ts'

const examples = fileURLToPath(new URL('../../../conformance/', import.meta.url))

/** End of a program. */
export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
}

/** Words that start a program; its own arguments follow. */
export type ProgramWords = readonly [command: string, ...args: string[]]

/** Changes a source file before it is built. */
export type ChangeSource = (source: string) => string

/** The samples of a language, built and run like a partner's. */
export interface PartnerLanguage {
  readonly name: string
  /** Reason for leaving out its tests. In CI they fail instead. */
  readonly leftOut: string | undefined
  /** Drives the wrapper: `<command> [key=value … | -]`. */
  buildPipe(folder: string, change?: ChangeSource): Promise<ProgramWords>
  /** Signs the claims on standard input: `<private key> <kid> <address of the receiver>`. */
  buildSign(folder: string): Promise<ProgramWords>
}

type Builds = Pick<PartnerLanguage, 'buildPipe' | 'buildSign'>

/** @param needed programs by their names, and files by their absolute paths */
function language<Build>(name: string, needed: readonly string[], builds: Build) {
  const missing = needed.filter(
    program => !(isAbsolute(program) ? existsSync(program) : isInstalled(program)),
  )
  return { name, leftOut: process.env.CI ? undefined : whyLeftOut(missing), ...builds }
}

function whyLeftOut(missing: readonly string[]): string | undefined {
  if (process.platform === 'win32') return ' (its tests run on Linux and macOS)'
  return missing.length > 0 ? ` (not installed here: ${missing.join(', ')})` : undefined
}

const strictCSharp = ['-langversion:5', '-warn:4', '-warnaserror']

async function buildCSharp(program: string, sources: readonly string[]): Promise<ProgramWords> {
  await compile('mcs', [...strictCSharp, `-out:${program}`, ...sources])
  return ['mono', program]
}

/** @param sources the last one has the method `main` */
async function buildJava(folder: string, sources: readonly string[]): Promise<ProgramWords> {
  await compile('javac', ['-Xlint:all', '-Werror', '-d', folder, ...sources])
  // Each start is short: no compiler for hot code.
  return ['java', '-XX:TieredStopAtLevel=1', '-cp', folder, parse(sources.at(-1) ?? '').name]
}

async function buildDelphi(folder: string, source: string): Promise<ProgramWords> {
  await compile('fpc', [`-FE${folder}`, `-FU${folder}`, source])
  return [join(folder, parse(source).name)]
}

/** Programs of the system, with its libraries. */
const python = '/usr/bin/python3'

/** Every language of the samples. */
export const partnerLanguages: readonly PartnerLanguage[] = [
  language<Builds>('TypeScript', [], {
    buildPipe: async () => nodeWords('service-pipe.ts'),
    buildSign: async () => nodeWords('sign-payload.ts'),
  }),
  language<Builds>('C#', ['mcs', 'mono'], {
    buildPipe: (folder, change) =>
      buildCSharp(
        join(folder, 'ServicePipe.exe'),
        ['ServicePipe.cs', 'Program.cs'].map(file => copy(folder, 'csharp', file, change)),
      ),
    buildSign: folder =>
      buildCSharp(join(folder, 'SignPayload.exe'), [join(examples, 'csharp/SignPayload.cs')]),
  }),
  language<Builds>('Java', ['javac', 'java'], {
    buildPipe: (folder, change) =>
      buildJava(
        folder,
        ['ServicePipe.java', 'ServicePipeProgram.java'].map(file => copy(folder, 'java', file, change)),
      ),
    buildSign: folder => buildJava(folder, [join(examples, 'java/SignPayload.java')]),
  }),
  language<Builds>('Python', [python, '/usr/lib/python3/dist-packages/jwt/__init__.py'], {
    buildPipe: async (folder, change) => [
      python,
      '-W',
      'error',
      copy(folder, 'python', 'service_pipe.py', change),
    ],
    buildSign: async () => [python, '-W', 'error', join(examples, 'python/sign_payload.py')],
  }),
  language<Builds>('PHP', ['php'], {
    buildPipe: async (folder, change) => ['php', copy(folder, 'php', 'service-pipe.php', change)],
    buildSign: async () => ['php', join(examples, 'php/sign-payload.php')],
  }),
  language<Builds>('Delphi', ['fpc'], {
    async buildPipe(folder, change) {
      for (const unit of ['ServicePipe.pas', 'UnixPipe.pas', 'JsonText.pas'])
        copy(folder, 'delphi', unit, change)
      return buildDelphi(folder, copy(folder, 'delphi', 'ServicePipeProgram.dpr'))
    },
    buildSign: folder => buildDelphi(folder, join(examples, 'delphi/SignPayload.dpr')),
  }),
]

function nodeWords(file: string): ProgramWords {
  return [process.execPath, '-C', '@service-link/source', join(examples, 'typescript', file)]
}

/** The journal of 2016, which finds the wrapper by its process: `<name or id> <customid> <first> <last name> <date of birth, or "">`. */
export const olderProgram = language('C#', ['mcs', 'mono'], {
  async build(folder: string): Promise<(...args: readonly string[]) => Promise<ProgramEnd>> {
    const program = join(folder, 'OlderProgram.exe')
    const libraries = ['Microsoft.CSharp', 'System.Runtime.Serialization', 'System.Xml'].map(
      name => `-r:${name}.dll`,
    )
    const [mono, ...words] = await buildCSharp(program, [
      ...libraries,
      join(examples, 'csharp/OlderProgram.cs'),
    ])
    return (...args) => run(mono, [...words, ...args])
  },
})

/** Runs a program to its end, at most for a minute. */
export function run(
  command: string,
  args: readonly string[],
  env = process.env,
  input = '',
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, timeout: 60_000 })
    // A program that does not read its input may have ended.
    child.stdin.on('error', () => {}).end(input)
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      errors += text
    })
    child.on('error', reject)
    child.on('close', exitCode => resolve({ exitCode, output, errors }))
  })
}

/** Runs a compiler, which must succeed. */
export async function compile(command: string, args: readonly string[]): Promise<void> {
  const { exitCode, output, errors } = await run(command, args)
  if (exitCode !== 0) throw new Error(`${command} failed.\n${output}${errors}`)
}

function copy(folder: string, from: string, file: string, change: ChangeSource = source => source): string {
  const path = join(folder, file)
  writeFileSync(path, change(readFileSync(join(examples, from, file), 'utf8')))
  return path
}
