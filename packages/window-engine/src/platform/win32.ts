import { spawnSync } from 'node:child_process'
import { release } from 'node:os'
import { win32 as path } from 'node:path'
import { systemProgram } from '@service-link/protocol-core/brand'
import { readRegistryPolicies } from './driving-policy.ts'
import { readAppPaths } from './registry.ts'
import { alertSeconds, type BrowserFamily, type WindowPlatform } from './window-platform.ts'

const programs: readonly (readonly [BrowserFamily, string])[] = [
  ['chrome', 'Google\\Chrome\\Application\\chrome.exe'],
  ['edge', 'Microsoft\\Edge\\Application\\msedge.exe'],
  ['chromium', 'Chromium\\Application\\chrome.exe'],
]

/** Chromium registers itself under Chrome's name, too. */
const registered: readonly (readonly [BrowserFamily, string])[] = [
  ['chrome', 'chrome.exe'],
  ['edge', 'msedge.exe'],
]

/** An error's sign, before all windows. Shows nothing in a session without a desktop, as a service's. */
const alertScript = `if ([Environment]::UserInteractive) { [void](New-Object -ComObject WScript.Shell).Popup($env:SERVICE_ALERT_TEXT, ${alertSeconds}, $env:SERVICE_ALERT_TITLE, 4112) }`

/** Windows. */
export const win32: WindowPlatform = {
  browserPlaces(environment) {
    const { ProgramFiles, LOCALAPPDATA, 'ProgramFiles(x86)': programFilesX86, ProgramW6432 } = environment
    const folders = [ProgramFiles, ProgramW6432, programFilesX86, LOCALAPPDATA].filter(folder => !!folder)
    return programs.flatMap(([family, program]) =>
      [...new Set(folders)].map(folder => ({ family, executable: path.join(folder ?? '', program) })),
    )
  },
  async registeredBrowsers(environment) {
    const found = registered.map(async ([family, program]) =>
      (await readAppPaths(program, environment)).map(executable => ({ family, executable })),
    )
    return (await Promise.all(found)).flat()
  },
  drivingProblem: readRegistryPolicies,
  // The folder of the launch could not be removed while the browser runs, and libraries are looked for in it, too.
  browserFolder: executable => path.dirname(executable),
  displayProblem: () => undefined,
  versionSource: 'folder',
  openerCall: url => ({ file: systemProgram('rundll32.exe'), args: ['url.dll,FileProtocolHandler', url] }),
  alertCall({ title, text }, environment) {
    // Started by another program, it outlives the wrapper, which takes along what it starts itself. Neither reads the text.
    const shell = systemProgram('WindowsPowerShell\\v1.0\\powershell.exe', environment)
    return {
      file: systemProgram('cmd.exe', environment),
      args: [
        `/d /s /c "start "" /b "${shell}" -NoLogo -NoProfile -NonInteractive -Command "${alertScript}""`,
      ],
      environment: { SERVICE_ALERT_TITLE: title, SERVICE_ALERT_TEXT: text },
    }
  },
  killTree(pid) {
    const argv = ['/PID', String(pid), '/T', '/F']
    spawnSync(systemProgram('taskkill.exe'), argv, { stdio: 'ignore', windowsHide: true })
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
