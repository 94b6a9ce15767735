import { spawn } from 'node:child_process'
import { windowPlatform } from './platform/current-platform.ts'
import type { WindowPlatform } from './platform/window-platform.ts'

/** Longest address that is handed over, in characters. */
const maxUrlLength = 8192

/** Hands an address to the operating system, which opens it in the user's own browser. */
export type OpenExternal = (url: string) => void

/**
 * The platform's way to open an address. Only http and https are passed on, normalised and without a shell; whether the
 * system then opens it is not known.
 */
export function externalOpener(platform: WindowPlatform = windowPlatform()): OpenExternal {
  return url => {
    const { href, protocol } = new URL(url)
    if (!/^https?:$/.test(protocol) || href.length > maxUrlLength) return
    const { file, args } = platform.openerCall(href)
    const child = spawn(file, args, { stdio: 'ignore', detached: true, windowsHide: true })
    child.on('error', () => undefined)
    child.unref()
  }
}
