import { assertParameter } from '@service-link/protocol-core/errors'
import type { Engine } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { type ChromiumEngineOptions, createChromiumEngine } from './create-chromium-engine.ts'

/** Values of the setting `BrowserEngine`, in any case (specification 2.2; `Headless` is ours). */
export const engineNames = ['EoWebBrowser', 'InternetExplorer', 'Headless'] as const

/** Options of {@link selectEngine}. */
export type SelectEngineOptions = Pick<ChromiumEngineOptions, 'openExternal'>

type Factory = (options: SelectEngineOptions) => Engine

const factories: Readonly<Record<(typeof engineNames)[number], Factory>> = {
  EoWebBrowser: options => createChromiumEngine({ ...options, name: 'EoWebBrowser' }),
  // The platform's own engine: on Windows that is Edge. Elsewhere there is none, and the default one is taken.
  InternetExplorer: options =>
    createChromiumEngine({
      ...options,
      name: 'InternetExplorer',
      ...(process.platform === 'win32' ? { preferredFamily: 'edge' as const } : {}),
    }),
  Headless: options => createChromiumEngine({ ...options, name: 'Headless', isHeadless: true }),
}

/**
 * The engine that the setting `BrowserEngine` names. Looks for nothing yet: see {@link Engine.probe}.
 *
 * @throws {EngineError} `not-available` when there is no engine of this name
 */
export function selectEngine(name: string, options: SelectEngineOptions = {}): Engine {
  assertParameter('name', name, 'text')
  assertParameter('options', options, 'object')
  const folded = name.trim().toLowerCase()
  const known = engineNames.find(engine => engine.toLowerCase() === folded)
  if (!known)
    throw new EngineError(
      'not-available',
      `The setting BrowserEngine names no engine. Known: ${engineNames.join(', ')}.`,
    )
  return factories[known](options)
}

/**
 * Makes sure that an engine could open a window. Asks for no description: no browser is started for it.
 *
 * @throws {EngineError} `not-available`, with the reason and what to do
 */
export async function probeEngine(engine: Engine, signal?: AbortSignal): Promise<void> {
  const probe = await engine.probe(signal, { isDescribed: false })
  if (probe.isAvailable) return
  throw new EngineError('not-available', probe.reason ?? `The engine ${engine.name} is not available here.`)
}
