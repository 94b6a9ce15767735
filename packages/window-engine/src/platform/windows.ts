import { spawnSync } from 'node:child_process'
import { win32 as path } from 'node:path'
import { systemProgram } from '@service-link/protocol-core/brand'
import { type Programs, placesIn } from './browser-places.ts'
import { alertArgument, alertSeconds, type WindowPlatform } from './window-platform.ts'
import { hasMessageBox, showMessageBox } from './windows/message-box.ts'
import { openAddress } from './windows/open-address.ts'
import { readRegistryPolicies } from './windows/policies.ts'
import { openUser32, TopWindow } from './windows/top-window.ts'
import { identifyProcess } from './windows/window-identity.ts'

const programs: Programs = [
  ['chrome', 'Google\\Chrome\\Application\\chrome.exe'],
  ['edge', 'Microsoft\\Edge\\Application\\msedge.exe'],
  ['chromium', 'Chromium\\Application\\chrome.exe'],
]

/** Variables with the text of a message box: other users can read a process's arguments. */
const alertTitle = 'SERVICE_ALERT_TITLE'
const alertText = 'SERVICE_ALERT_TEXT'

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
  versionSource: 'folder',
  openAddress,
  openerCall: url => ({ file: systemProgram('rundll32.exe'), args: ['url.dll,FileProtocolHandler', url] }),
  alertCall({ title, text }, _environment, [file, ...args] = []) {
    if (file === undefined || !hasMessageBox()) return undefined
    return {
      file,
      args: [...args, alertArgument],
      environment: { [alertTitle]: title, [alertText]: text },
    }
  },
  showAlert: ({ [alertTitle]: title, [alertText]: text }) => {
    if (title && text) showMessageBox(title, text, alertSeconds)
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
