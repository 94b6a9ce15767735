import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** A program that asks the wrapper with a process id: `<process id> <command> [<arguments as JSON>]`. */
export type PartnerProgram = (...args: readonly string[]) => Promise<ProgramEnd>

/** Changes a source file before it is built. */
export type ChangeSource = (source: string) => string

/** An example in another language, built and run like a partner's. */
export interface PartnerLanguage {
  readonly name: string
  /** Reason for leaving out its tests. In CI they fail instead. */
  readonly leftOut: string | undefined
  /** Builds it in a folder. */
  build(folder: string, change?: ChangeSource): Promise<PartnerProgram>
}

function language(name: string, needed: readonly string[], build: PartnerLanguage['build']): PartnerLanguage {
  const missing = needed.filter(program => !isInstalled(program))
  return { name, leftOut: process.env.CI ? undefined : whyLeftOut(missing), build }
}

function whyLeftOut(missing: readonly string[]): string | undefined {
  if (process.platform === 'win32') return ' (its tests run on Linux and macOS)'
  return missing.length > 0 ? ` (not installed here: ${missing.join(', ')})` : undefined
}

/** The documentation's examples of one request. */
export const partnerLanguages: readonly PartnerLanguage[] = [
  language('C#', ['mcs', 'mono'], async (folder, change) => {
    const program = join(folder, 'ServicePipe.exe')
    const sources = ['ServicePipe.cs', 'Program.cs'].map(file => copy(folder, 'csharp', file, change))
    const checks = ['-langversion:5', '-warn:4', '-warnaserror', `-out:${program}`]
    // The variant for .NET Framework compiles, but cannot run here.
    await compile('mcs', [...checks, '-define:NETFRAMEWORK', ...sources])
    await compile('mcs', [...checks, ...sources])
    return (...args) => run('mono', [program, ...args])
  }),
  language('Python', ['python3'], async (folder, change) => {
    const program = copy(folder, 'python', 'service_pipe.py', change)
    return (...args) => run('python3', ['-W', 'error', program, ...args])
  }),
  language('C', ['gcc'], async (folder, change) => {
    const program = join(folder, 'service_pipe')
    const checks = ['-Wall', '-Wextra', '-Werror', '-pedantic', '-fsanitize=address,undefined']
    const source = copy(folder, 'c', 'service_pipe.c', change)
    await compile('gcc', ['-std=c11', ...checks, '-fno-sanitize-recover', source, '-o', program])
    return (...args) => run(program, args)
  }),
]

/** The journal of 2016, which finds the wrapper by its process: `<name or id> <customid> <first> <last name> <date of birth, or "">`. */
export const olderProgram = language('C#', ['mcs', 'mono'], async folder => {
  const program = join(folder, 'OlderProgram.exe')
  const source = copy(folder, 'csharp', 'OlderProgram.cs')
  const libraries = ['Microsoft.CSharp', 'System.Runtime.Serialization', 'System.Xml'].map(
    name => `-r:${name}.dll`,
  )
  const checks = ['-langversion:5', '-warn:4', '-warnaserror', `-out:${program}`]
  await compile('mcs', [...checks, ...libraries, source])
  return (...args) => run('mono', [program, ...args])
})

/** Runs a program to its end, at most for a minute. */
export function run(command: string, args: readonly string[], env = process.env): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
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
