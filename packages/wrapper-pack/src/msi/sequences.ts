import type { Brand } from '@service-link/protocol-core'
import { element, escapeProperties, textElement } from './wxs-elements.ts'

/** Id of the executable's file. */
export const executableId = 'WrapperExecutable'

const isRemoval = 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE'
// The user can change executable and registry, so nothing of them runs with more rights than the user's.
const withoutMoreRights = 'NOT MsiRunningElevated AND NOT ALLUSERS'

interface Step {
  /** Id of its custom action. */
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
  /** Place among the actions of Windows Installer, which have the same numbers in every package. */
  readonly sequence: number
  readonly condition: string
  /** Whether it runs the executable. */
  readonly isSubcommand?: boolean
}

/** The package's actions beside those of Windows Installer, in their order. */
function stepsOf(brand: Brand): readonly Step[] {
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
      // Before Windows Installer looks for files in use. Runs the installed executable, which may lie in another folder than the
      // new one. Only an executable with delivered settings knows the subcommand.
      id: 'CloseWrapper',
      attributes: {
        ...run,
        Property: 'INSTALLEDEXECUTABLE',
        ExeCommand: 'installer close',
        Execute: 'immediate',
      },
      isSubcommand: true,
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
      isSubcommand: true,
      sequence: 1550,
      condition: `${isRemoval} AND ${withoutMoreRights}`,
    },
  ]
}

/** Writes the custom actions of a package and their places. */
export function sequences(brand: Brand, hasSubcommands: boolean): readonly string[] {
  const steps = stepsOf(brand).filter(({ isSubcommand }) => hasSubcommands || !isSubcommand)
  const custom = ({ id, sequence, condition }: Step) =>
    textElement('Custom', { Action: id, Sequence: String(sequence) }, condition)
  return [
    ...steps.flatMap(({ id, attributes }) =>
      // As the user: they need the user's registry and folders.
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
