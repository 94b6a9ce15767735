import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostBrowser } from './host-browser.ts'

/**
 * Absolute path of the Edge of this Windows: `SERVICE_BROWSER`, else where its installer puts it.
 *
 * @throws when nothing is there
 */
export function installedEdge(): string {
  const folder = process.env['ProgramFiles(x86)'] ?? 'C:\\Program Files (x86)'
  const file = process.env.SERVICE_BROWSER || join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe')
  if (!existsSync(file))
    throw new Error(`No Edge at ${file}: install it, or set SERVICE_BROWSER to its path.`)
  return file
}

/**
 * The Edge of this Windows, as the browser of the wrappers of a per-user folder. It is known by what these note of it, so the
 * arguments of its starts are not.
 *
 * @param userFolder absolute path
 */
export function openInstalledEdge(userFolder: string): HostBrowser {
  const records = join(userFolder, 'run')
  const seen = new Set<number>()
  const running = () => {
    for (const pid of notedBrowsers(records)) seen.add(pid)
    return [...seen].filter(isRunning)
  }
  const crash = () => {
    for (const pid of running()) spawnSync('taskkill.exe', ['/F', '/T', '/PID', String(pid)])
  }
  return {
    variables: {},
    starts: [],
    running: () => running().length,
    crash,
    [Symbol.asyncDispose]: async () => crash(),
  }
}

function notedBrowsers(records: string): number[] {
  try {
    const names = readdirSync(records).filter(name => name.endsWith('.json'))
    return names.flatMap(name => JSON.parse(readFileSync(join(records, name), 'utf8')).browserPid ?? [])
  } catch {
    // No wrapper runs, or one writes its record.
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
