import { basename } from 'node:path'
import type { Brand } from '@service-link/protocol-core'
import { findBuiltInProvider, readTypeName } from '@service-link/protocol-core'
import { providerExports } from '@service-link/wrapper-host/packing'
import { runTool } from '../run-tool.ts'

interface LinkedModule {
  /** Why the packed wrapper cannot load it, as a clause. */
  readonly problem?: string
  readonly exports: readonly string[]
  /** Whether another module of the list names it. */
  readonly isPart: boolean
}

const linkTimeoutMs = 60_000

/**
 * Checks modules of providers as the packed wrapper will load them: side by side in one folder, without packages. Runs none of them,
 * because some work in a wrapper on Windows only.
 *
 * @param provider the brand file's provider of launches that name none, if its program is the wrapper's own
 * @returns a clause a fault, with its place in the brand file
 */
export async function problemsOfModules(
  files: readonly string[],
  brand: Brand,
  provider: string | undefined,
): Promise<readonly string[]> {
  const modules = files.length === 0 ? [] : await inspect(files)
  const problems = modules.flatMap(({ problem, exports, isPart }, index) => {
    if (problem !== undefined) return [`providerModules.${index} ${problem}`]
    return isPart || exports.some(name => name !== 'default')
      ? []
      : [`providerModules.${index} exports no provider under a type's name: export { Component }`]
  })
  const type =
    provider === undefined || findBuiltInProvider(brand, provider) ? undefined : readTypeName(provider)
  if (!type) return problems
  const file = `${type.assembly}.mjs`
  const module = modules[files.findIndex(each => basename(each) === file)]
  if (!module) return [...problems, `provider needs a module ${file} in providerModules`]
  if (module.problem !== undefined || providerExports(type).some(name => module.exports.includes(name)))
    return problems
  return [...problems, `provider names ${type.type}, which ${file} does not export`]
}

async function inspect(files: readonly string[]): Promise<readonly LinkedModule[]> {
  const script = `process.stdout.write(JSON.stringify(await (${linkModules})(${JSON.stringify(files)})))`
  const options = ['--experimental-vm-modules', '--no-warnings', '--input-type=module']
  const end = await runTool(process.execPath, [...options, '--eval', script], { timeoutMs: linkTimeoutMs })
  if (end.exitCode !== 0)
    return files.map(() => ({ problem: 'could not be checked', exports: [], isPart: false }))
  return JSON.parse(end.stdout)
}

/** Links modules without evaluating them. Its text runs in a process of its own, so it uses nothing of this module. */
async function linkModules(files: readonly string[]): Promise<readonly LinkedModule[]> {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { isBuiltin } = process.getBuiltinModule('node:module')
  const { basename } = process.getBuiltinModule('node:path')
  const { SourceTextModule, SyntheticModule } = process.getBuiltinModule('node:vm')
  const namesOf = (id: string) => ['default', ...Object.keys(process.getBuiltinModule(id) ?? {})]
  const texts = files.map(file => readFileSync(file, 'utf8'))
  const parse = (index: number) =>
    new SourceTextModule(texts[index] ?? '', { identifier: basename(files[index] ?? '') })
  const linkOne = async (index: number) => {
    const parsed = new Map<number, InstanceType<typeof SourceTextModule>>()
    const module = parse(index)
    parsed.set(index, module)
    await module.link(async id => {
      if (isBuiltin(id)) return new SyntheticModule(namesOf(id), () => undefined)
      const at = files.findIndex(file => id === `./${basename(file)}`)
      if (at === -1) throw new Error(`imports ${id}, which is neither of Node nor in providerModules`)
      const part = parsed.get(at) ?? parse(at)
      parsed.set(at, part)
      return part
    })
    return Reflect.ownKeys(module.namespace).filter(name => typeof name === 'string')
  }
  const isPart = (index: number) =>
    texts.some((text, other) => other !== index && text.includes(basename(files[index] ?? '')))
  return Promise.all(
    files.map(async (_, index) => {
      try {
        return { exports: await linkOne(index), isPart: isPart(index) }
      } catch (error) {
        const { name, message, stack = '' } = error as Error
        const line = /^\S+:(\d+)\n/.exec(stack)?.[1]
        const place = line === undefined ? '' : `, line ${line}`
        const problem = name === 'SyntaxError' ? `is no module that loads: ${message}${place}` : message
        return { problem, exports: [], isPart: isPart(index) }
      }
    }),
  )
}
