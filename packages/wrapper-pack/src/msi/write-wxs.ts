import { deliveredSettings } from '@service-link/wrapper-host/packing'
import { nameGuid } from '../brand/name-guid.ts'
import { PackError, type PackPlan } from '../pack-plan.ts'
import { executableId, sequences } from './sequences.ts'
import { directoryElements, element, escapeProperties, textElement } from './wxs-elements.ts'

const iconId = 'Wrapper.exe'

/** What the source of an installer needs of the plan. */
export type InstallerPlan = Pick<PackPlan, 'brand' | 'version' | 'upgradeCode' | 'installFolder'>

/**
 * Writes the source of a wrapper's installer (spec 4.2) for wixl and WiX 3. Pure. The tool gets the variables `Folder`, the
 * packed folder, and `Icon`, an icon file, so the text names no folder of this machine. Without a package code the tool takes a
 * random one.
 *
 * Windows Installer does this with it:
 * - It installs for one user, without administrator rights, into `INSTALLDIR`; with `ALLUSERS=1` for everybody, into a folder below
 *   Program Files, which users cannot write. It notes that folder in the user's or the machine's registry for upgrade, repair and
 *   removal. A given folder takes precedence over the noted one.
 * - A package with the same first three version parts, or higher ones, replaces the installed one. A lower one is refused.
 * - It delivers the settings file as `<executable>.config.default`, which the wrapper reads while there is no
 *   `<executable>.config`.
 */
export function writeWxs(
  { brand, version, upgradeCode, installFolder }: InstallerPlan,
  files: readonly string[],
  packageCode = '*',
): string {
  // A `$` begins a variable, and only one of the two tools can escape it.
  const misread = [brand.displayName, ...files].find(name => name.includes('$'))
  if (misread !== undefined)
    throw new PackError(`An installer cannot contain the name ${misread}: it has a $.`)
  const search = (id: string, name: string, root = 'HKCU') =>
    element('Property', { Id: id }, [
      ...element('RegistrySearch', {
        ...{ Id: `${id}.Search`, Root: root, Key: brand.registryKey, Name: name, Type: 'raw', Win64: 'yes' },
      }),
    ])
  // The identity of the running wrapper's window, by which the taskbar groups both.
  const shortcut = (directory: string) =>
    element(
      'Shortcut',
      {
        ...{ Id: `Shortcut.${directory}`, Advertise: 'yes', Directory: directory },
        ...{ Name: shortcutName(brand.displayName), WorkingDirectory: 'INSTALLDIR' },
        ...{ Icon: iconId, IconIndex: '0' },
      },
      element('ShortcutProperty', {
        Key: 'System.AppUserModel.ID',
        Value: escapeProperties(brand.applicationId),
      }),
    )
  const { directories, components } = directoryElements({
    upgradeCode,
    files,
    renamed: new Map([[brand.configFile, deliveredSettings(brand)]]),
    special: new Map([
      [
        brand.executable,
        { id: executableId, content: ['ProgramMenuFolder', 'DesktopFolder'].flatMap(shortcut) },
      ],
    ]),
  })
  const registry = (name: string, value: string, isKey?: true) =>
    element('RegistryValue', {
      // The user's part of the registry or, for everybody, the machine's.
      ...{ Id: `Registry.${name}`, Root: 'HKMU', Key: brand.registryKey, Name: name, Type: 'string' },
      ...{ Value: value, KeyPath: isKey && 'yes' },
    })
  const registryComponent = element(
    'Component',
    { Id: 'Registry', Guid: nameGuid(upgradeCode, 'component:'), Win64: 'yes' },
    [
      ...registry('InstallDir', '[INSTALLDIR]', true),
      ...registry('path', '[INSTALLDIR]'),
      ...registry('version', version),
      // Tells the next installer that the executable knows its subcommands.
      ...registry('settings', deliveredSettings(brand)),
      ...element('RemoveFolder', { Id: 'Remove.VENDORDIR', On: 'uninstall' }),
    ],
  )
  const product = element(
    'Product',
    {
      ...{ Id: nameGuid(upgradeCode, version), UpgradeCode: upgradeCode, Version: version },
      ...{ Name: brand.displayName, Manufacturer: brand.vendor, Language: '1033', Codepage: '65001' },
    },
    [
      ...element('Package', {
        Id: packageCode,
        ...{ InstallerVersion: '500', InstallScope: 'perUser', Compressed: 'yes', SummaryCodepage: '65001' },
        ...{
          Description: `${brand.displayName} ${version}`,
          Comments: 'For one user; with ALLUSERS=1 for all.',
        },
      }),
      ...element('Media', { Id: '1', Cabinet: 'wrapper.cab', EmbedCab: 'yes' }),
      ...element('Upgrade', { Id: upgradeCode }, [
        ...element('UpgradeVersion', {
          ...{ Property: 'OLDERINSTALLED', Minimum: '0.0.0', Maximum: versionAfter(version) },
          ...{ IncludeMinimum: 'yes', IncludeMaximum: 'no', OnlyDetect: 'no' },
        }),
        ...element('UpgradeVersion', {
          ...{
            Property: 'NEWERINSTALLED',
            Minimum: versionAfter(version),
            IncludeMinimum: 'yes',
            OnlyDetect: 'yes',
          },
        }),
      ]),
      ...textElement(
        'Condition',
        {
          Message:
            'A newer version of [ProductName] is installed. Remove it first, if this one is to take its place.',
        },
        'Installed OR NOT NEWERINSTALLED',
      ),
      // Elsewhere users may write, and one would change what another runs.
      ...textElement(
        'Condition',
        { Message: 'For all users [ProductName] is installed below [ProgramFiles64Folder] only.' },
        'Installed OR NOT ALLUSERS OR NOT INSTALLDIR OR (INSTALLDIR ~<< ProgramFiles64Folder AND NOT INSTALLDIR >< "..")',
      ),
      ...element('Property', { Id: 'ARPNOMODIFY', Value: '1' }),
      ...element('Property', { Id: 'ARPPRODUCTICON', Value: iconId }),
      // It would end wrappers before the package asks them to close, and without a wait for unsaved forms.
      ...element('Property', { Id: 'MSIRESTARTMANAGERCONTROL', Value: 'DisableShutdown' }),
      // A silent installation would restart Windows without a question.
      ...element('Property', { Id: 'REBOOT', Value: 'ReallySuppress' }),
      // A file that is there is decided on before the old version is removed: one that was kept would be removed then.
      ...element('Property', { Id: 'REINSTALLMODE', Value: 'amus' }),
      ...(installFolder === 'local' ? element('Property', { Id: 'INSTALLLOCAL', Value: '1' }) : []),
      ...search('REMEMBEREDDIR', 'InstallDir'),
      ...search('MACHINEDIR', 'InstallDir', 'HKLM'),
      ...search('DELIVEREDSETTINGS', 'settings'),
      ...element('Icon', { Id: iconId, SourceFile: '$(var.Icon)' }),
      ...element('Directory', { Id: 'TARGETDIR', Name: 'SourceDir' }, [
        ...element('Directory', { Id: 'AppDataFolder' }, [
          ...element('Directory', { Id: 'VENDORDIR', Name: brand.vendor }, [
            ...element('Directory', { Id: 'INSTALLDIR', Name: brand.application }, directories),
            // Behind it: the vendor’s folder is removed with it.
            ...registryComponent,
          ]),
        ]),
        ...element('Directory', { Id: 'ProgramMenuFolder' }),
        ...element('Directory', { Id: 'DesktopFolder' }),
      ]),
      ...element(
        'Feature',
        { Id: 'Wrapper', Title: brand.displayName, Level: '1' },
        ['Registry', ...components].flatMap(id => element('ComponentRef', { Id: id })),
      ),
      ...sequences(brand),
    ],
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...element('Wix', { xmlns: 'http://schemas.microsoft.com/wix/2006/wi' }, product),
    '',
  ].join('\n')
}

/**
 * The lowest version that Windows Installer takes for a higher one, for a tool that cannot say “up to and including”. It compares three
 * numbers: two of at most 255, and one of at most 65535.
 */
export function versionAfter(version: string): string {
  const [major = 0, minor = 0, build = 0] = version.split('.').map(Number)
  if (build < 65_535) return [major, minor, build + 1].join('.')
  if (minor < 255) return [major, minor + 1, 0].join('.')
  return [major + 1, 0, 0].join('.')
}

/** Longest name: the column of a shortcut has room for 128 characters, and Windows adds its ending. */
const maxLength = 100

/**
 * File name of the shortcut to a wrapper, without its ending: what the person at the desktop reads, but for characters that Windows has
 * no place for in file names.
 */
export function shortcutName(displayName: string): string {
  const name = displayName
    .replaceAll(/[\\/:*?"<>|]+/g, '-')
    .slice(0, maxLength)
    .replace(/^[ .]+|[ .]+$/g, '')
  return name || 'Wrapper'
}
