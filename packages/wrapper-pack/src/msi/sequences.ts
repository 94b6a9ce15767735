import type { Brand } from '@service-link/protocol-core'
import { element, escapeProperties, textElement } from './wxs-elements.ts'

/** Id of the executable's file. */
export const executableId = 'WrapperExecutable'

const isForEverybody = 'ALLUSERS'
// The user can change executable and registry, so nothing of them runs with more rights than the user's.
const isForUser = 'NOT ALLUSERS AND NOT MsiRunningElevated'
/** Its files go away, are exchanged or written again. The same package again, as a logon script installs it, does none of it. */
const changesFiles = '(OLDERINSTALLED OR REMOVE="ALL" OR REINSTALL="ALL")'
/** Only an executable with delivered settings knows the subcommand. */
const suspendsUser = `DELIVEREDSETTINGS AND REMEMBEREDDIR AND NOT UPGRADINGPRODUCTCODE AND ${changesFiles} AND ${isForUser}`
// Not at a repair: any user may begin one of everybody's installation, and this would close the wrappers of all.
const suspendsEverybody = `REMOVE="ALL" AND ${isForEverybody}`

interface Step {
  /** Id of its custom action. */
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
  /** Place among the actions of Windows Installer, which have the same numbers in every package; or the end at which it runs. */
  readonly sequence: number | 'cancel' | 'error'
  readonly condition: string
  /** Whether it runs as the system. Only for files that no user can write. */
  readonly isSystem?: true
}

/** The package's actions beside those of Windows Installer, in their order. */
function stepsOf(brand: Brand): readonly Step[] {
  const vendor = escapeProperties(brand.vendor)
  const run = (step: string) => ({ ExeCommand: `installer ${step}`, Return: 'ignore' })
  const ofInstalled = (step: string) => ({ ...run(step), Property: 'INSTALLEDEXECUTABLE' })
  const ofPackage = (step: string) => ({ ...run(step), FileKey: executableId })
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
      // than the new one.
      id: 'SuspendWrapper',
      attributes: { ...ofInstalled('suspend'), Execute: 'immediate' },
      sequence: 1350,
      condition: suspendsUser,
    },
    // While the installed executable is untouched; the question may have been answered so. Later the rollback does it.
    ...(['cancel', 'error'] as const).map(end => ({
      id: `ResumeAfter.${end}`,
      attributes: { ...ofInstalled('resume'), Execute: 'immediate' },
      sequence: end,
      condition: `${suspendsUser} AND NOT FilesChange`,
    })),
    {
      // Behind the removal of the old version, which has its own rollback.
      id: 'NoteChange',
      attributes: { Property: 'FilesChange', Value: '1' },
      sequence: 1511,
      condition: suspendsUser,
    },
    {
      // A rollback goes backwards, so the files are there again. In the package that goes away, as its executable comes back.
      id: 'RollBackWrapper',
      attributes: { ...ofPackage('resume'), Execute: 'rollback' },
      sequence: 1520,
      condition: `(REMOVE="ALL" OR REINSTALL="ALL") AND ${isForUser}`,
    },
    {
      id: 'RollBackEverywhere',
      attributes: { ...ofPackage('resume --all-desktops'), Execute: 'rollback' },
      isSystem: true,
      sequence: 1530,
      condition: suspendsEverybody,
    },
    {
      // In the package that goes away, also when another one takes its place: the executable is its own.
      id: 'SuspendEverywhere',
      attributes: { ...ofPackage('suspend --all-desktops'), Execute: 'deferred' },
      isSystem: true,
      sequence: 1540,
      condition: suspendsEverybody,
    },
    {
      id: 'ForgetUser',
      attributes: { ...ofPackage('forget'), Execute: 'deferred' },
      sequence: 1550,
      condition: `REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE AND ${isForUser}`,
    },
    {
      id: 'ResumeEverywhere',
      attributes: { ...ofPackage('resume --all-desktops'), Execute: 'deferred' },
      isSystem: true,
      sequence: 6590,
      // Whoever repairs could name an older product.
      condition: `NOT Installed AND OLDERINSTALLED AND ${isForEverybody}`,
    },
    {
      id: 'ResumeWrapper',
      attributes: { ...ofPackage('resume'), Execute: 'immediate' },
      // Behind the end of the transaction.
      sequence: 6650,
      condition: `NOT REMOVE AND ${changesFiles} AND ${isForUser}`,
    },
  ]
}

/** Writes the custom actions of a package and their places. */
export function sequences(brand: Brand): readonly string[] {
  const steps = stepsOf(brand)
  const custom = ({ id, sequence, condition }: Step) =>
    textElement(
      'Custom',
      { Action: id, ...(typeof sequence === 'number' ? { Sequence: `${sequence}` } : { OnExit: sequence }) },
      condition,
    )
  return [
    ...steps.flatMap(({ id, attributes, isSystem }) =>
      // Of the user's own package as the user: it needs the user's registry and folders.
      element('CustomAction', { Id: id, ...attributes, Impersonate: isSystem ? 'no' : 'yes' }),
    ),
    ...element(
      'InstallUISequence',
      {},
      steps.filter(({ sequence }) => Number(sequence) < 64).flatMap(custom),
    ),
    ...element('InstallExecuteSequence', {}, [
      // Within the transaction: an upgrade that fails leaves the old version.
      ...element('RemoveExistingProducts', { Sequence: '1510' }),
      ...steps.flatMap(custom),
    ]),
  ]
}
