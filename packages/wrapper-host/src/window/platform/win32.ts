import { spawnSync } from 'node:child_process'
import { release } from 'node:os'
import { win32 as path } from 'node:path'
import type { BrowserFamily, WindowPlatform } from './window-platform.ts'

const programs: readonly (readonly [BrowserFamily, string])[] = [
  ['chrome', 'Google\\Chrome\\Application\\chrome.exe'],
  ['edge', 'Microsoft\\Edge\\Application\\msedge.exe'],
  ['chromium', 'Chromium\\Application\\chrome.exe'],
]

/** Windows. */
export const win32: WindowPlatform = {
  browserPlaces(environment) {
    const { ProgramFiles, LOCALAPPDATA, 'ProgramFiles(x86)': programFilesX86, ProgramW6432 } = environment
    const folders = [ProgramFiles, ProgramW6432, programFilesX86, LOCALAPPDATA].filter(folder => !!folder)
    return programs.flatMap(([family, program]) =>
      [...new Set(folders)].map(folder => ({ family, executable: path.join(folder ?? '', program) })),
    )
  },
  displayProblem: () => undefined,
  versionSource: 'folder',
  openerCall: url => ({ file: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', url] }),
  killTree(pid) {
    spawnSync('taskkill.exe', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
  },
  endGroup: () => undefined,
  isPrivileged: () => false,
  hints: () => ({ platform: 'Windows', platformVersion: windowsVersion(release()) }),
}

/** Client hints count Windows by its API contract: 10.0.0 for the last Windows 10, 13 and above for Windows 11. */
function windowsVersion(osRelease: string): string {
  const build = Number(osRelease.split('.')[2] ?? 0)
  if (build >= 26_100) return '19.0.0'
  if (build >= 22_621) return '15.0.0'
  return build >= 22_000 ? '14.0.0' : '10.0.0'
}
