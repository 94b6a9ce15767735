import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isWindowsItself, type WindowsMachine } from '../wine/windows-machine.ts'
import { buildRelay, type HostBrowser, openHostBrowser } from './host-browser.ts'
import { installedEdge, openInstalledEdge } from './installed-edge.ts'

/** The Edge of a Windows. */
export interface Edge extends HostBrowser {
  /** Its host path. */
  readonly executable: string
  /** Settings of the application with which the wrapper takes it. */
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Finds the Edge of Windows; in Wine it is a stand-in, which goes at disposal.
 *
 * @param userFolder of the wrappers that use it, absolute
 */
export async function openEdge({ driveC }: WindowsMachine, userFolder: string): Promise<Edge> {
  if (isWindowsItself) {
    const executable = installedEdge()
    // A runner has other browsers too, and they come first.
    return { ...openInstalledEdge(userFolder), executable, settings: { Browser: executable } }
  }
  const executable = join(driveC, 'Program Files (x86)', 'Microsoft', 'Edge', 'Application', 'msedge.exe')
  const remove = () => rm(dirname(executable), { recursive: true, force: true, maxRetries: 5 })
  await remove()
  const browser = await openHostBrowser(driveC)
  await mkdir(dirname(executable), { recursive: true })
  await buildRelay(executable)
  return {
    ...browser,
    executable,
    settings: {},
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await remove()
    },
  }
}
