import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import * as sea from 'node:sea'
import { pathToFileURL } from 'node:url'
import { compileFunction, constants } from 'node:vm'
import { type Brand, findBuiltInProvider, foldTypeName, readTypeName } from '@service-link/protocol-core'
import type { TypeName } from '@service-link/protocol-core/brand'
import { accessProblem } from '../files/access.ts'
import { failureReason, kindOf } from '../log/failure-reason.ts'
import { type Provider, ProviderModuleError } from './provider.ts'

/** The providers of integrators: modules `providers/<Assembly>.mjs` in the application root. */
export class ProviderModules {
  readonly #applicationRoot: string
  readonly #loaded = new Map<string, Promise<Readonly<Record<string, unknown>>>>()

  constructor(applicationRoot: string) {
    this.#applicationRoot = applicationRoot
  }

  /**
   * Loads the module of an assembly once, and finds the export with the type's name. Returns nothing when there is no such module.
   */
  async load({ type, assembly }: TypeName): Promise<Provider | undefined> {
    const module = `${providersFolder}/${assembly}.mjs`
    if (!this.#loaded.has(assembly)) {
      const file = await findProviderModule(this.#applicationRoot, assembly)
      if (file === undefined) return undefined
      // A failure is kept too: the JavaScript engine evaluates a module once.
      if (!this.#loaded.has(assembly)) this.#loaded.set(assembly, importModule(module, file))
    }
    const exports = (await this.#loaded.get(assembly)) ?? {}
    const found = providerExports({ type, assembly }).find(name => Object.hasOwn(exports, name))
    const provider = found === undefined ? undefined : exports[found]
    if (isProvider(provider)) return provider
    throw new ProviderModuleError('export', module, exportProblem(type, found, exports))
  }
}

function exportProblem(type: string, found: string | undefined, exports: Readonly<Record<string, unknown>>) {
  if (found !== undefined && typeof exports[found] === 'function')
    return `exports ${found} as a function or class. Export an object with a method provide, such as an instance of the class.`
  if (found !== undefined) return `exports ${found}, which is no object with a method provide.`
  const names = Object.keys(exports).slice(0, maxListed).join(', ') || 'nothing'
  return `has no provider under the type’s whole name. It exports: ${names}. A provider is an object with a method provide, exported as the type is named: export { Component as '${type}' }.`
}

/** The whole name tells the types of an assembly apart. A type of one part more than its assembly may be exported as that part. */
export function providerExports({ type, assembly }: TypeName): readonly string[] {
  const part = type.startsWith(`${assembly}.`) ? type.slice(assembly.length + 1) : type
  return part.includes('.') ? [type] : [type, part]
}

const maxListed = 20

async function importModule(module: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importFile(pathToFileURL(file).href)
  } catch (error) {
    throw new ProviderModuleError(
      'load',
      module,
      `did not load (${kindOf(error)}). Run it with node to see why, correct it, and start the wrapper anew.`,
    )
  }
}

/** Imports a file. In a single executable, plain `import` loads only modules of Node. */
function importFile(url: string): Promise<Readonly<Record<string, unknown>>> {
  if (!sea.isSea()) return import(url)
  return compileFunction('return import(url)', ['url'], {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(url)
}

function isProvider(value: unknown): value is Provider {
  return (
    typeof value === 'object' && value !== null && 'provide' in value && typeof value.provide === 'function'
  )
}

/** Folder of integrators' providers in the application root. */
export const providersFolder = 'providers'

const extension = '.mjs'

/**
 * Finds the module of an assembly. The application root may be a link. Below it no link is followed, and only this user and
 * administrators may have the right to change the module. Returns its real path, or nothing when no file has this exact name.
 */
export async function findProviderModule(
  applicationRoot: string,
  assembly: string,
): Promise<string | undefined> {
  const root = await unlessMissing(realpath(applicationRoot))
  if (root === undefined) return undefined
  const folder = join(root, providersFolder)
  const foundFolder = await unlessMissing(lstat(folder))
  if (!foundFolder) return undefined
  check(foundFolder.isDirectory(), foundFolder, `The folder ${providersFolder}`)
  check(true, await lstat(root), 'The application root')
  // A file system may find a file by another spelling. The list has the real one.
  const fileName = `${assembly}${extension}`
  if (!(await readdir(folder)).includes(fileName)) return undefined
  const subject = `${providersFolder}/${fileName}`
  const file = join(folder, fileName)
  const foundFile = await unlessMissing(lstat(file))
  if (!foundFile) return undefined
  check(foundFile.isFile(), foundFile, subject)
  const fault = await unlessMissing(findPinFault(fileName, file))
  if (fault)
    throw new ProviderModuleError(
      'not-packed',
      subject,
      `${pinProblems[fault]} Pack the wrapper again with it.`,
    )
  return file
}

const pinProblems = {
  added: 'was not packed with this wrapper.',
  changed: 'was changed after this wrapper was packed.',
}

/** Asset of a packed executable: JSON, file name in the folder `providers` → {@link digestOf}. */
export const pinsAsset = 'providers.json'

/** SHA-256 of a file's content, in hexadecimal digits. */
export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * Compares a module with the one that was packed. The executable holds its digest, so nobody who may write to the folder, or start
 * the executable elsewhere, brings in code. Returns nothing if it is the same, or this is no packed executable.
 */
async function findPinFault(name: string, file: string): Promise<keyof typeof pinProblems | undefined> {
  // Node without a list of assets makes no packed executable.
  if (!sea.isSea() || !sea.getAssetKeys().includes(pinsAsset)) return undefined
  const pins: Readonly<Record<string, string>> = JSON.parse(sea.getAsset(pinsAsset, 'utf8'))
  if (!Object.hasOwn(pins, name)) return 'added'
  return digestOf(await readFile(file)) === pins[name] ? undefined : 'changed'
}

/** Whether a name is that of a built-in provider or one of a program's own, or its module is there. Does not load the module, which would run it. */
export async function hasProvider(
  applicationRoot: string,
  brand: Brand,
  name: string,
  own: readonly string[] = [],
): Promise<boolean> {
  if (findBuiltInProvider(brand, name) || own.some(known => foldTypeName(known) === foldTypeName(name)))
    return true
  const assembly = readTypeName(name)?.assembly
  return assembly !== undefined && (await findProviderModule(applicationRoot, assembly)) !== undefined
}

/** Assemblies of the modules in the folder, sorted; at most 20. */
export async function listProviderModules(applicationRoot: string): Promise<readonly string[]> {
  const names = await readdir(join(applicationRoot, providersFolder)).catch(() => [])
  return names
    .filter(name => name.endsWith(extension))
    .map(name => name.slice(0, -extension.length))
    .sort()
    .slice(0, maxListed)
}

function check(isOfKind: boolean, found: Stats, subject: string): void {
  if (!isOfKind)
    throw new ProviderModuleError(
      'not-a-file',
      subject,
      'is a link, or not what its name says. Put the folder and the file themselves there.',
    )
  const problem = accessProblem(found, false)
  if (problem)
    throw new ProviderModuleError(
      'access',
      subject,
      `${problem}. What it holds would run with this user’s rights, so only this user and administrators may change it.`,
    )
}

async function unlessMissing<Value>(finding: Promise<Value>): Promise<Value | undefined> {
  try {
    return await finding
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(failureReason(error))) return undefined
    throw new ProviderModuleError(
      'access',
      `The folder ${providersFolder}`,
      `cannot be read (${failureReason(error)}). Give this user the right to read it.`,
    )
  }
}
