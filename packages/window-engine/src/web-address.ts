import { spawn } from 'node:child_process'
import { EngineError } from './engine-error.ts'
import { windowPlatform } from './platform/current-platform.ts'
import type { WindowPlatform } from './platform/window-platform.ts'

/** Whether an address is http or https. A window opens no others. */
export function isWebAddress(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}

export function checkWebAddress(url: string): void {
  if (!isWebAddress(url)) throw new EngineError('navigation', 'Only http and https addresses can be opened.')
}

/** An address as a server gets it; other texts are returned unchanged. */
export function withoutFragment(url: string): string {
  const parsed = URL.parse(url)
  if (parsed) parsed.hash = ''
  return parsed?.href ?? url
}

/**
 * Whether a link of the web app goes to the user's browser: it is of another origin. Scripts, forms, redirects and links on other
 * pages stay in the window: a sign-in at an identity provider needs them.
 */
export function leadsOutside(link: string, allowedOrigins: readonly string[]): boolean {
  return isWebAddress(link) && !allowedOrigins.includes(new URL(link).origin)
}

/** Longest address that is handed over, in characters. */
const maxUrlLength = 8192

/** Opens an address in the user's browser. */
export type OpenExternal = (url: string) => void

/**
 * Opens addresses as the platform does: http and https only, normalized and without a shell. A failure of the system is ignored.
 */
export function externalOpener(platform: WindowPlatform = windowPlatform()): OpenExternal {
  return url => {
    const { href } = new URL(url)
    if (!isWebAddress(href) || href.length > maxUrlLength) return
    if (platform.openAddress?.(href)) return
    const { file, args } = platform.openerCall(href)
    const child = spawn(file, args, { stdio: 'ignore', detached: true, windowsHide: true })
    child.on('error', () => undefined)
    child.unref()
  }
}
