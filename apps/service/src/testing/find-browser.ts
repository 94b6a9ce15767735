import { basename } from 'node:path'
import { findOnPath } from '@service-link/window-engine'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']

/** The installed browser of the Chromium family; `SERVICE_BROWSER` names another. */
export function findBrowser(): string | undefined {
  return process.env.SERVICE_BROWSER || names.map(name => findOnPath(name)).find(Boolean)
}

/** Whether a browser can draw windows. The one that the demo fetches on a machine without browsers cannot. */
export function drawsWindows(executable: string): boolean {
  return !basename(executable).includes('headless')
}
