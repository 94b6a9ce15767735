import { accessSync, constants } from 'node:fs'
import { basename, delimiter, join } from 'node:path'

/** The installed browser of the Chromium family; `SERVICE_BROWSER` names another. */
export function findBrowser(): string | undefined {
  return (
    process.env.SERVICE_BROWSER ||
    findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge')
  )
}

/** Whether a browser can draw windows. The one that the demo fetches on a machine without browsers cannot. */
export function drawsWindows(executable: string): boolean {
  return !basename(executable).includes('headless')
}

export function findProgram(...names: readonly string[]): string | undefined {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const file = join(folder, name)
      try {
        accessSync(file, constants.X_OK)
        return file
      } catch {
        // Not here: the next folder may have it.
      }
    }
  }
  return undefined
}
