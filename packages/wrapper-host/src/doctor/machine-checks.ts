import { stat } from 'node:fs/promises'
import { arch, release, userInfo } from 'node:os'
import { isThisUsersAlone } from '@service-link/pipe-client/running'
import { nativeCalls, openRegistry } from '@service-link/protocol-core/windows'
import { type Engine, windowPlatform } from '@service-link/window-engine'
import { checkUserFolder, elsewhere, findUserFolderFault } from '../files/access.ts'
import {
  findProviderModule,
  hasProvider,
  listProviderModules,
  providersFolder,
} from '../launch/provider-modules.ts'
import { neededRemedy } from '../settings/config-file.ts'
import { isElevated } from '../start/instance-place.ts'
import { registeredFolder } from '../start/note-installation.ts'
import { findDesktopProblem, findProgram } from '../tray/find-program.ts'
import { TrayError } from '../tray/tray.ts'
import { selectWindowEngine } from '../window/own-browser.ts'
import {
  type DoctorChecks,
  type DoctorInput,
  type Finding,
  ok,
  problem,
  skipped,
  unknownSettings,
  warning,
} from './doctor-check.ts'

export function isHeadless({ BrowserEngine }: { readonly BrowserEngine: string }): boolean {
  return BrowserEngine === 'Headless'
}

async function system({ version, environment }: DoctorInput): Promise<Finding> {
  const system = `${process.platform} ${release()} ${arch()}`
  const desktop = environment.DISPLAY || environment.WAYLAND_DISPLAY || environment.SESSIONNAME
  const place = desktop ? `, desktop ${desktop}` : ''
  const sentence = `Wrapper ${version} on ${system}, Node ${process.versions.node}, user ${userInfo().username}${place}.`
  if (!isElevated()) return ok(sentence)
  return warning(
    `${sentence} It has administrator rights.`,
    'Start the wrapper without them: else this user’s other programs cannot reach it.',
  )
}

async function applicationRoot({ folders: { applicationRoot }, settings }: DoctorInput): Promise<Finding> {
  const found = await stat(applicationRoot).catch(() => undefined)
  if (!found?.isDirectory())
    return problem(
      `${applicationRoot} is no folder.`,
      'Install the wrapper anew. Unless it is packed, correct SERVICE_WRAPPER_ROOT.',
    )
  const { application, exposure } = await settings()
  if ('error' in application) return problem(application.error.message, neededRemedy)
  if (exposure)
    return warning(
      `${exposure.path} ${exposure.problem}.`,
      'Let only administrators change it: it decides which address the wrapper opens and which providers it runs.',
    )
  if (application.state === 'absent')
    return warning(
      `${applicationRoot} has no configuration file.`,
      `Put ${application.file} there, with AppUrl in it. Unless the wrapper is packed, SERVICE_WRAPPER_ROOT can name another folder.`,
    )
  return ok(`${application.file} is there and well-formed.`)
}

async function userFolder({ folders: { userFolder } }: DoctorInput): Promise<Finding> {
  const found = await stat(userFolder).catch(() => undefined)
  if (found && !found.isDirectory()) return problem(`${userFolder} is no folder.`, `Remove it. ${elsewhere}`)
  checkUserFolder(userFolder)
  const fault = findUserFolderFault(userFolder)
  if (fault) return problem(fault.problem, fault.remedy)
  if (!found) return ok(`${userFolder} is not there yet: the first start makes it.`)
  if (!isThisUsersAlone(found))
    return warning(
      `${userFolder} can be entered by other users.`,
      'Close it to them (chmod go-rwx): the browser’s profile is in it.',
    )
  return ok(`${userFolder} is this user’s alone, and can be written to.`)
}

async function settings(input: DoctorInput): Promise<Finding> {
  const { application, user, faults, notices } = await input.settings()
  if (application.state === 'damaged') return unknownSettings
  const listed = (found: typeof faults) =>
    found.map(({ setting, problem: clause }) => `The setting ${setting} ${clause}.`).join(' ')
  if (faults.length > 0)
    return problem(listed(faults), 'Correct it in the application root: the wrapper does not start with it.')
  if (user.state === 'damaged')
    return warning(
      user.error.message,
      'The next start sets the file aside, and defaults apply. Correct it before that to keep what is in it.',
    )
  const remedy = 'Correct or remove it; the command "settings" shows all settings with their sources.'
  if (notices.length > 0) return warning(listed(notices), remedy)
  return ok('All settings are as they should be; the command "settings" shows them.')
}

/** Words in the names of browsers of the Chromium family. */
const knownBrowsers = /chrom|edge|brave|opera|vivaldi/i

/** Checks the engine of the window. Looks for the browser even without a display, which has its own check. */
async function engine(input: DoctorInput, signal: AbortSignal): Promise<Finding> {
  const { settings, environment } = input
  if (input.engine) return ownEngine(input.engine, signal)
  const { values } = await settings()
  const { BrowserEngine: name } = values
  const hasDisplay = windowPlatform().displayProblem(environment) === undefined
  const engine = selectWindowEngine(values, hasDisplay ? {} : { isHeadless: true })
  const probe = await engine.probe(signal, { url: values.AppUrl })
  const { description = 'available', notice } = probe
  if (probe.isAvailable && environment.SERVICE_BROWSER && !knownBrowsers.test(description))
    return warning(
      `${name}: ${description}, which the variable SERVICE_BROWSER names, is no known browser.`,
      'Unless it belongs to the Chromium family, correct or remove the variable.',
    )
  if (probe.isAvailable && notice !== undefined)
    return warning(`${name}: ${description}. Policies forbid another browser.`, notice)
  if (probe.isAvailable) return ok(`${name}: ${description}.`)
  return problem(
    `${name} is not available.`,
    probe.reason ?? 'Install Google Chrome, Microsoft Edge or Chromium.',
  )
}

async function ownEngine(engine: Engine, signal: AbortSignal): Promise<Finding> {
  const { name } = engine
  const { isAvailable, description = 'available', reason } = await engine.probe(signal)
  if (isAvailable) return ok(`${name}: ${description}.`)
  return problem(`${name} is not available.`, reason ?? 'Install what this engine needs.')
}

async function display({ settings, environment }: DoctorInput): Promise<Finding> {
  if (isHeadless((await settings()).values)) return skipped('The engine shows no window.')
  const reason = windowPlatform().displayProblem(environment)
  if (reason !== undefined) return problem('No window can be shown here.', reason)
  const lack = windowPlatform().nativeProblem?.(environment)
  return lack ? warning(lack.problem, lack.remedy) : ok('There is a display.')
}

/** Checks the files of integrators' providers. Does not load them, which would run them. */
async function providers(input: DoctorInput): Promise<Finding> {
  const { applicationRoot } = input.folders
  const assemblies = await listProviderModules(applicationRoot)
  for (const assembly of assemblies) await findProviderModule(applicationRoot, assembly)
  const missing = await missingDefault(input)
  if (missing) return missing
  const names = assemblies.map(assembly => `${assembly}.mjs`).join(', ')
  return ok(names ? `In ${providersFolder}: ${names}.` : 'There are only the built-in providers.')
}

async function missingDefault({
  brand,
  folders,
  settings,
  providers: own,
}: DoctorInput): Promise<Finding | undefined> {
  const { ProtocolProvider } = (await settings()).values
  if (await hasProvider(folders.applicationRoot, brand, ProtocolProvider, own)) return undefined
  return problem(
    'The setting ProtocolProvider names a provider that is not there.',
    `Correct the setting, or put the module of that assembly into the folder ${providersFolder} of the application root; for a packed wrapper, pack it again with the module.`,
  )
}

async function tray({ settings, environment, engine }: DoctorInput): Promise<Finding> {
  if (engine) return skipped('With an engine of its own a program shows its own icon, or none.')
  if (isHeadless((await settings()).values))
    return skipped('The engine shows no window, so there is no icon.')
  if (process.platform === 'win32')
    return nativeCalls() ? ok('Windows shows the icon, where there is a taskbar.') : skipped(seeNative)
  const problem = await findDesktopProblem(environment)
  if (problem) return absent(problem)
  try {
    const { version } = await findProgram()
    return ok(`systray2 ${version} shows the icon, where the desktop has a notification area.`)
  } catch (error) {
    if (error instanceof TrayError) return absent(error)
    throw error
  }
}

const absent = (error: TrayError) =>
  warning(
    'There will be no icon in the notification area.',
    `${error.message} The wrapper runs without it, too.`,
  )

const seeNative = 'Not without node:ffi: see the check native.'

/** Parts of the wrapper on Windows need the system's own functions. */
function native(): Finding {
  if (process.platform !== 'win32') return skipped('Only Windows needs node:ffi.')
  if (nativeCalls()) return ok('node:ffi calls the functions of Windows.')
  return warning(
    `Node ${process.versions.node} has no node:ffi. The window may stay behind others, and is minimized in place of being hidden. There is no icon and no message box. The registry is not written, and no policy there is read.`,
    'Use a packed wrapper, or Node 26 without --permission.',
  )
}

/** The checks of the first steps of a start: machine, folders, settings, engine and display. */
export const machineChecks: DoctorChecks = {
  system,
  native,
  'application-root': applicationRoot,
  'user-folder': userFolder,
  settings,
  engine,
  display,
}

/** Says where other programs find the wrapper on Windows. */
async function registry({ brand }: DoctorInput): Promise<Finding> {
  const opened = openRegistry()
  if (!opened) return skipped(seeNative)
  const key = `HKCU\\${brand.registryKey}`
  if (!opened.isWritable('HKCU', brand.registryKey))
    return warning(
      `The registry key ${key} cannot be written.`,
      'Let this user write there, or install the wrapper for all users: else programs may not find it.',
    )
  const [place] = (['HKCU', 'HKLM'] as const).flatMap(hive => {
    const path = registeredFolder(opened, hive, brand)
    return path === undefined ? [] : [`${hive}\\${brand.registryKey} names ${path}.`]
  })
  return ok(place ?? `${key} names no folder yet: the first start of a packed wrapper notes it.`)
}

export const extraChecks: DoctorChecks = {
  providers,
  tray,
  ...(process.platform === 'win32' ? { registry } : {}),
}
