import type { Brand } from '@service-link/protocol-core'
import { element, escapeProperties, textElement } from './wxs-element.ts'

/** Id of the executable's file. */
export const executableId = 'WrapperExecutable'

/** Property with the SHA-256 of the delivered settings that were settled last, once this installation is done. */
export const settledNow = 'SettledNow'

const isRemoval = 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE'
// What runs lies where the user writes, and so does what names it: nothing of it is run with more rights than the user's.
const withoutMoreRights = 'NOT MsiRunningElevated AND NOT ALLUSERS'

interface Step {
  /** Of its custom action. */
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
  /** Place among the actions of Windows Installer, whose numbers are the same in every package. */
  readonly sequence: number
  readonly condition: string
  /** Whether the executable is run, or what it did is noted. */
  readonly isCommand?: boolean
}

/** What the package does beside the actions of Windows Installer, in their order. */
function stepsOf(brand: Brand, settingsHash: string): readonly Step[] {
  const run = { Return: 'ignore' }
  return [
    {
      id: 'UseRememberedFolder',
      attributes: { Property: 'INSTALLDIR', Value: '[REMEMBEREDDIR]' },
      sequence: 60,
      condition: `REMEMBEREDDIR AND NOT INSTALLDIR AND ${withoutMoreRights}`,
    },
    {
      id: 'NameInstalledExecutable',
      attributes: {
        Property: 'INSTALLEDEXECUTABLE',
        Value: `[REMEMBEREDDIR]${escapeProperties(brand.executable)}`,
      },
      sequence: 61,
      condition: 'REMEMBEREDDIR',
    },
    {
      // Where settings are not settled, what is there is still what was settled last.
      id: 'KeepSettled',
      attributes: { Property: settledNow, Value: '[SETTLEDSETTINGS]' },
      isCommand: true,
      sequence: 62,
      condition: 'SETTLEDSETTINGS',
    },
    {
      id: 'NoteSettled',
      attributes: { Property: settledNow, Value: settingsHash },
      isCommand: true,
      sequence: 63,
      condition: withoutMoreRights,
    },
    {
      // Before Windows Installer looks for files in use. The one that is installed runs: it may lie in another folder than the new one,
      // and only where it has delivered settings it knows the command.
      id: 'CloseWrapper',
      attributes: {
        ...run,
        Property: 'INSTALLEDEXECUTABLE',
        ExeCommand: 'installer close',
        Execute: 'immediate',
      },
      isCommand: true,
      sequence: 1350,
      condition: `DELIVEREDSETTINGS AND REMEMBEREDDIR AND NOT UPGRADINGPRODUCTCODE AND ${withoutMoreRights}`,
    },
    {
      id: 'ForgetUser',
      attributes: {
        ...run,
        FileKey: executableId,
        ExeCommand: 'installer forget',
        Execute: 'deferred',
      },
      isCommand: true,
      sequence: 1550,
      condition: `${isRemoval} AND ${withoutMoreRights}`,
    },
    {
      // At the very end: settings are no file of the package, which a failure after this would not take back. A wrapper without them is of
      // no use to anybody: this one may fail the installation. The folder ends with a backslash, which would escape the quote.
      id: 'SettleSettings',
      attributes: {
        FileKey: executableId,
        ExeCommand: 'installer settle "[REMEMBEREDDIR]." "[SETTLEDSETTINGS]"',
        Execute: 'deferred',
        Return: 'check',
      },
      isCommand: true,
      sequence: 6590,
      condition: `NOT REMOVE="ALL" AND ${withoutMoreRights}`,
    },
  ]
}

/**
 * Writes the custom actions of a package, and where they stand.
 *
 * @param hasCommands whether the executable knows the commands of an installer
 * @param settingsHash of the settings file as it is delivered
 */
export function sequences(brand: Brand, hasCommands: boolean, settingsHash: string): readonly string[] {
  const steps = stepsOf(brand, settingsHash).filter(({ isCommand }) => hasCommands || !isCommand)
  const custom = ({ id, sequence, condition }: Step) =>
    textElement('Custom', { Action: id, Sequence: String(sequence) }, condition)
  return [
    ...steps.flatMap(({ id, attributes }) =>
      // As the user, whose registry and folders they are about.
      element('CustomAction', { Id: id, ...attributes, Impersonate: 'yes' }),
    ),
    ...element('InstallUISequence', {}, steps.filter(({ sequence }) => sequence === 60).flatMap(custom)),
    ...element('InstallExecuteSequence', {}, [
      // Within the transaction: an upgrade that fails leaves the old version.
      ...element('RemoveExistingProducts', { Sequence: '1510' }),
      ...steps.flatMap(custom),
    ]),
  ]
}
