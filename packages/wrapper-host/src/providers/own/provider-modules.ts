import { isSea } from 'node:sea'
import { pathToFileURL } from 'node:url'
import { compileFunction, constants } from 'node:vm'
import type { Provider } from '../provider.ts'
import type { TypeName } from '../type-name.ts'
import { ProviderModuleError } from './provider-errors.ts'
import { findProviderModule, listProviderModules, providersFolder } from './provider-folder.ts'

/** Integrators' own providers: the modules `providers/<Assembly>.mjs` in the application root, and nothing else. */
export class ProviderModules {
  readonly #applicationRoot: string
  readonly #loaded = new Map<string, Promise<Readonly<Record<string, unknown>>>>()

  constructor(applicationRoot: string) {
    this.#applicationRoot = applicationRoot
  }

  /** Names of the assemblies that are there; none is loaded or checked. */
  list(): Promise<readonly string[]> {
    return listProviderModules(this.#applicationRoot)
  }

  /**
   * Loads the module of an assembly, the first time, and finds the export that the last part of the type names.
   *
   * @returns nothing when there is no such module
   * @throws {ProviderModuleError} when it is not a file that only this user and administrators may change, does not load, or
   *   has no such provider
   */
  async load({ type, assembly }: TypeName): Promise<Provider | undefined> {
    const module = `${providersFolder}/${assembly}.mjs`
    if (!this.#loaded.has(assembly)) {
      const file = await findProviderModule(this.#applicationRoot, assembly)
      if (file === undefined) return undefined
      // What failed is kept like what was loaded: the JavaScript engine evaluates a module once.
      if (!this.#loaded.has(assembly)) this.#loaded.set(assembly, importModule(module, file))
    }
    const exports = (await this.#loaded.get(assembly)) ?? {}
    const name = type.slice(type.lastIndexOf('.') + 1)
    const provider = Object.hasOwn(exports, name) ? exports[name] : undefined
    if (isProvider(provider)) return provider
    const names = listNames(Object.keys(exports))
    throw new ProviderModuleError(
      'export',
      module,
      `has no provider under the last part of the type’s name. It exports: ${names}. A provider is an object with a method provide.`,
    )
  }
}

const maxListed = 20
const maxNameLength = 64

function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'nothing'
  const listed = names
    .slice(0, maxListed)
    .map(each => each.replaceAll(/\p{C}/gu, ' '))
    .map(each => (each.length > maxNameLength ? `${each.slice(0, maxNameLength)}…` : each))
  const more = names.length - listed.length
  return listed.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

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

/** A single executable's own `import` takes modules of Node only. */
function importFile(url: string): Promise<Readonly<Record<string, unknown>>> {
  if (!isSea()) return import(url)
  return compileFunction('return import(url)', ['url'], {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(url)
}

function isProvider(value: unknown): value is Provider {
  return (
    typeof value === 'object' && value !== null && 'provide' in value && typeof value.provide === 'function'
  )
}

const missing: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']
const languageErrors: readonly string[] = ['SyntaxError', 'ReferenceError', 'TypeError', 'RangeError']

/** The module's own words may hold what the launch brought; the name of an error of the language does not. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error of its own'
  if ('code' in error && missing.includes(error.code)) return 'it imports what is not there'
  return languageErrors.includes(error.name) ? error.name : 'an error of its own'
}
