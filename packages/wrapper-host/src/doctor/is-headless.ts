import type { Settings } from '@service-link/protocol-core'

/** Whether the engine that the settings name shows no window. */
export function isHeadless({ BrowserEngine }: Pick<Settings, 'BrowserEngine'>): boolean {
  return BrowserEngine.trim().toLowerCase() === 'headless'
}
