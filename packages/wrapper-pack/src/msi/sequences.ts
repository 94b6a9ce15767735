import type { Brand } from '@service-link/protocol-core'
import { element, escapeProperties, textElement } from './wxs-elements.ts'

/** Id of the executable's file. */
export const executableId = 'WrapperExecutable'

const isForEverybody = 'ALLUSERS'
// The user can change executable and registry, so nothing of them runs with more rights than the user's.
const isForUser = 'NOT ALLUSERS AND NOT MsiRunningElevated'
/** Its files go away or are written again. The same package again, as a logon script installs it, is neither. */
const replacesFiles = '(REMOVE="ALL" OR REINSTALL="ALL")'

interface Step {
  /** Id of its custom action. */
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
  /** Place among the actions of Windows Installer, which have the same numbers in every package. */
  readonly sequence: number
  readonly condition: string
  /** Whether it runs as the system. Only for files that no user can write. */
  readonly isSystem?: true
}

/** The package's actions beside those of Windows Installer, in their order. */
function stepsOf(brand: Brand): readonly Step[] {
  const vendor = escapeProperties(brand.vendor)
  const run = (step: string) => ({ ExeCommand: `installer ${step}`, Return: 'ignore' })
  return [
    {
      id: 'UseRememberedFolder',
      attributes: { Property: 'INSTALLDIR', Value: '[REMEMBEREDDIR]' },
      sequence: 60,
      condition: `REMEMBEREDDIR AND NOT INSTALLDIR AND ${isForUser}`,
    },
    {
      id: 'UseMachineFolder',
      attributes: { Property: 'INSTALLDIR', Value: '[MACHINEDIR]' },
      sequence: 61,
      condition: `MACHINEDIR AND NOT INSTALLDIR AND ${isForEverybody}`,
    },
    {
      id: 'PlaceForEverybody',
      attributes: { Property: 'VENDORDIR', Value: `[ProgramFiles64Folder]${vendor}` },
      sequence: 62,
      condition: isForEverybody,
    },
    {
      id: 'PlaceLocally',
      attributes: { Property: 'VENDORDIR', Value: `[LocalAppDataFolder]Programs\\${vendor}` },
      sequence: 63,
      condition: 'NOT ALLUSERS AND (INSTALLLOCAL=1 OR INSTALLDIR ~<< LocalAppDataFolder)',
    },
    {
      id: 'NameInstalledExecutable',
      attributes: {
        Property: 'INSTALLEDEXECUTABLE',
        Value: `[REMEMBEREDDIR]${escapeProperties(brand.executable)}`,
      },
      sequence: 64,
      condition: 'REMEMBEREDDIR',
    },
    {
      // Before Windows Installer asks the user about files in use. Runs the installed executable, which may lie in another folder
      // than the new one. Only an executable with delivered settings knows the subcommand.
      id: 'SuspendWrapper',
      attributes: { ...run('suspend'), Property: 'INSTALLEDEXECUTABLE', Execute: 'immediate' },
      sequence: 1350,
      condition: `DELIVEREDSETTINGS AND REMEMBEREDDIR AND NOT UPGRADINGPRODUCTCODE AND (OLDERINSTALLED OR ${replacesFiles}) AND ${isForUser}`,
    },
    {
      // In the package that goes away, also when another one takes its place: the executable is its own.
      id: 'SuspendEverywhere',
      attributes: { ...run('suspend --all-desktops'), FileKey: executableId, Execute: 'deferred' },
      isSystem: true,
      sequence: 1540,
      condition: `${replacesFiles} AND ${isForEverybody}`,
    },
    {
      id: 'ForgetUser',
      attributes: { ...run('forget'), FileKey: executableId, Execute: 'deferred' },
      sequence: 1550,
      condition: `REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE AND ${isForUser}`,
    },
    {
      id: 'ResumeEverywhere',
      attributes: { ...run('resume --all-desktops'), FileKey: executableId, Execute: 'deferred' },
      isSystem: true,
      sequence: 6590,
      condition: `NOT REMOVE AND (OLDERINSTALLED OR ${replacesFiles}) AND ${isForEverybody}`,
    },
    {
      id: 'ResumeWrapper',
      attributes: { ...run('resume'), FileKey: executableId, Execute: 'immediate' },
      // Behind the end of the transaction.
      sequence: 6650,
      condition: `NOT REMOVE AND (OLDERINSTALLED OR ${replacesFiles}) AND ${isForUser}`,
    },
  ]
}

/** Writes the custom actions of a package and their places. */
export function sequences(brand: Brand): readonly string[] {
  const steps = stepsOf(brand)
  const custom = ({ id, sequence, condition }: Step) =>
    textElement('Custom', { Action: id, Sequence: String(sequence) }, condition)
  return [
    ...steps.flatMap(({ id, attributes, isSystem }) =>
      // Of the user's own package as the user: it needs the user's registry and folders.
      element('CustomAction', { Id: id, ...attributes, Impersonate: isSystem ? 'no' : 'yes' }),
    ),
    ...element('InstallUISequence', {}, steps.filter(({ sequence }) => sequence < 64).flatMap(custom)),
    ...element('InstallExecuteSequence', {}, [
      // Within the transaction: an upgrade that fails leaves the old version.
      ...element('RemoveExistingProducts', { Sequence: '1510' }),
      ...steps.flatMap(custom),
    ]),
  ]
}
