import { spawnSync } from 'node:child_process'
import { win32 as path } from 'node:path'
import { systemProgram } from '@service-link/protocol-core/brand'
import { type Programs, placesIn } from './browser-places.ts'
import { alertSeconds, type WindowPlatform } from './window-platform.ts'
import { readRegistryPolicies } from './windows/policies.ts'
import { openUser32, TopWindow } from './windows/top-window.ts'
import { identifyProcess } from './windows/window-identity.ts'

const programs: Programs = [
  ['chrome', 'Google\\Chrome\\Application\\chrome.exe'],
  ['edge', 'Microsoft\\Edge\\Application\\msedge.exe'],
  ['chromium', 'Chromium\\Application\\chrome.exe'],
]

/** Shows an error box before all windows, or nothing where there is no desktop. */
const windowsAlertScript = `if ([Environment]::UserInteractive) { [void](New-Object -ComObject WScript.Shell).Popup($env:SERVICE_ALERT_TEXT, ${alertSeconds}, $env:SERVICE_ALERT_TITLE, 4112) }`

/** Windows. */
export const win32: WindowPlatform = {
  browserPlaces(environment) {
    const { ProgramFiles, LOCALAPPDATA, 'ProgramFiles(x86)': programFilesX86, ProgramW6432 } = environment
    const folders = [ProgramFiles, ProgramW6432, programFilesX86, LOCALAPPDATA]
    return placesIn(folders, programs, path)
  },
  readPolicies: async family => readRegistryPolicies(family),
  browserEnvironment: environment => environment,
  // A running browser would lock the folder of the launch, and load libraries from it.
  browserFolder: executable => path.dirname(executable),
  displayProblem: () => undefined,
  nativeWindow(pid) {
    const user32 = openUser32()
    return user32 && new TopWindow(user32, pid)
  },
  nativeProblem: () =>
    openUser32()
      ? undefined
      : {
          problem:
            'The wrapper cannot always bring its window to the front: the taskbar button may flash instead. It minimizes the window in place of hiding it.',
          remedy: `Node ${process.versions.node} has no node:ffi here. Use a packed wrapper, or Node 26.`,
        },
  versionSource: 'folder',
  openerCall: url => ({ file: systemProgram('rundll32.exe'), args: ['url.dll,FileProtocolHandler', url] }),
  alertCall({ title, text }, environment) {
    // By `start`, because processes that the wrapper starts itself end with it. The text is in variables, so no shell parses it.
    const shell = systemProgram('WindowsPowerShell\\v1.0\\powershell.exe', environment)
    return {
      file: systemProgram('cmd.exe', environment),
      args: [
        `/d /s /c "start "" /b "${shell}" -NoLogo -NoProfile -NonInteractive -Command "${windowsAlertScript}""`,
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
  identifyProcess,
  name: 'Windows',
}
