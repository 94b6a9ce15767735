import type { JsonValue, OpenWindowOptions } from '../engine.ts'
import type { WindowPlatform } from '../platform/window-platform.ts'
import type { DevToolsConnection } from './devtools-connection.ts'
import { beforeUnloadScript, injectedScript } from './injected-script.ts'

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
  readonly sessionId: string
  readonly bindingName: string
  readonly allowedOrigins: readonly string[]
  readonly userAgent: UserAgent
  /** Longest wait for each answer, in milliseconds. */
  readonly timeoutMs: number
}

/** Name of the function, and of the world that has it, by which the host learns that a page objects to going away. */
export function closeBindingName(bindingName: string): string {
  return `${bindingName}_close`
}

/** Installs in a page, for every document to come, all that the window needs. */
export async function preparePage(
  connection: DevToolsConnection,
  options: PreparePageOptions,
): Promise<void> {
  const { sessionId, bindingName, allowedOrigins, pageScript, userAgent, timeoutMs } = options
  const on = { sessionId, timeoutMs }
  const closeBinding = closeBindingName(bindingName)
  await Promise.all([
    connection.call('Page.enable', {}, on),
    connection.call('Runtime.enable', {}, on),
    connection.call('Emulation.setUserAgentOverride', userAgent, on),
    // An activated prerendered page would be another target, and look as if the window had gone.
    connection.call('Page.setPrerenderingAllowed', { isAllowed: false }, on).catch(() => undefined),
    connection.call('Runtime.addBinding', { name: bindingName }, on),
    connection.call(
      'Page.addScriptToEvaluateOnNewDocument',
      { source: injectedScript({ bindingName, allowedOrigins, pageScript }) },
      on,
    ),
    connection.call(
      'Page.addScriptToEvaluateOnNewDocument',
      { source: beforeUnloadScript(closeBinding), worldName: closeBinding },
      on,
    ),
    connection.call('Runtime.addBinding', { name: closeBinding, executionContextName: closeBinding }, on),
    connection.call('Runtime.runIfWaitingForDebugger', {}, on),
  ])
}
