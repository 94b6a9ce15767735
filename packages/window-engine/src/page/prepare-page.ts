import type { PageTarget } from '../devtools/page-target.ts'
import type { JsonValue, OpenWindowOptions } from '../engine.ts'
import type { WindowPlatform } from '../platform/window-platform.ts'
import { hostWorldScript } from './host-world.ts'
import { injectedScript } from './injected-script.ts'

/** What every target of the browser is told before its first line runs. */
export type UserAgent = {
  readonly userAgent: string
  /** Client hints: brands and versions stay the browser's own, the rest cannot be left out. */
  readonly userAgentMetadata: { readonly [name: string]: JsonValue }
}

/** The browser's user agent with the suffix. */
export function extendUserAgent(ownUserAgent: string, suffix: string, platform: WindowPlatform): UserAgent {
  return {
    userAgent: suffix ? `${ownUserAgent} ${suffix}` : ownUserAgent,
    userAgentMetadata: {
      ...platform.hints(),
      architecture: process.arch.startsWith('arm') ? 'arm' : 'x86',
      bitness: process.arch.endsWith('64') ? '64' : '32',
      model: '',
      mobile: false,
    },
  }
}

/** What {@link preparePage} installs. */
export interface PreparePageOptions extends Pick<OpenWindowOptions, 'pageScript'> {
  readonly bindingName: string
  readonly allowedOrigins: readonly string[]
  /** As {@link hostWorldScript} takes it. */
  readonly asksBeforeUnload: boolean
  /** Longest wait for each answer, in milliseconds. */
  readonly timeoutMs: number
}

/** Name of the host's own world in the page, and of the function by which it tells the host (see `host-world.ts`). */
export function hostWorldName(bindingName: string): string {
  return `${bindingName}_world`
}

/** Installs in a page, for every document to come, all that the window needs. */
export async function preparePage(page: PageTarget, options: PreparePageOptions): Promise<void> {
  const { bindingName, allowedOrigins, pageScript, asksBeforeUnload, timeoutMs } = options
  const bounds = { timeoutMs }
  const worldName = hostWorldName(bindingName)
  await Promise.all([
    page.call('Page.enable', {}, bounds),
    page.call('Runtime.enable', {}, bounds),
    // An activated prerendered page would be another target, and look as if the window had gone.
    page.call('Page.setPrerenderingAllowed', { isAllowed: false }, bounds).catch(() => undefined),
    page.call('Runtime.addBinding', { name: bindingName }, bounds),
    page.call(
      'Page.addScriptToEvaluateOnNewDocument',
      { source: injectedScript({ bindingName, allowedOrigins, pageScript }) },
      bounds,
    ),
    page.call(
      'Page.addScriptToEvaluateOnNewDocument',
      { source: hostWorldScript({ bindingName: worldName, asksBeforeUnload }), worldName },
      bounds,
    ),
    page.call('Runtime.addBinding', { name: worldName, executionContextName: worldName }, bounds),
  ])
}
