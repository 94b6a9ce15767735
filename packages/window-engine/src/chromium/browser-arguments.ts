import type { OpenWindowOptions } from '../engine.ts'
import { startPage } from '../page/start-page.ts'

/** What {@link browserArguments} depends on. */
export interface BrowserArgumentsOptions
  extends Pick<OpenWindowOptions, 'profileFolder' | 'placement' | 'isDebug'> {
  readonly isHeadless: boolean
  /** Whether the process has all rights, with which Chromium refuses to run in its sandbox. */
  readonly isPrivileged: boolean
}

/** The command line of the browser. */
export function browserArguments(options: BrowserArgumentsOptions): string[] {
  const { isHeadless, isPrivileged, profileFolder, placement, isDebug } = options
  const flags = [
    '--remote-debugging-pipe',
    `--user-data-dir=${profileFolder}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-background-mode',
    '--disable-component-update',
    '--disable-sync',
    '--hide-crash-restore-bubble',
    // Edge on Windows starts itself anew where its starter has a compatibility layer, and leaves the pipe behind.
    '--edge-skip-compat-layer-relaunch',
    // It would bring a page of a session that has ended back from memory, with all that it showed.
    '--disable-features=BackForwardCache',
  ]
  if (isHeadless) flags.push('--headless=new', '--hide-scrollbars', '--mute-audio')
  if (isPrivileged) flags.push('--no-sandbox')
  if (placement) {
    flags.push(`--window-position=${placement.left},${placement.top}`)
    flags.push(`--window-size=${placement.width},${placement.height}`)
  }
  if (isDebug && !isHeadless) flags.push('--auto-open-devtools-for-tabs')
  return [...flags, `--app=${startPage}`]
}
