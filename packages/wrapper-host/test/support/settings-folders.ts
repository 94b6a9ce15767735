import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Brand, defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'

/** The version of the tested settings. */
export const settingsVersion = '3.0.0.0'

/** An existing application root and a missing user folder, as options of the settings readers. */
export async function settingsFolders() {
  const folder = await temporaryFolder()
  const applicationRoot = join(folder.path, 'root')
  const userFolder = join(folder.path, 'user')
  await mkdir(applicationRoot)
  const userFileOf = (version: string) => join(userFolder, version, 'user.config')
  return {
    options: { brand: defaultBrand, version: settingsVersion, folders: { applicationRoot, userFolder } },
    configFile: join(applicationRoot, 'Service.Client.WebWrapper.exe.config'),
    userFile: userFileOf(settingsVersion),
    userConfigFolder: join(userFolder, settingsVersion),
    userFileOf,
    /** Writes the user's file of this or another version. */
    async writeUserFile(text: string, version = settingsVersion): Promise<void> {
      await mkdir(join(userFolder, version), { recursive: true })
      await writeFile(userFileOf(version), text)
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** The system's folder for local data, with the user folder of a brand where an installed wrapper has it. */
export async function temporaryUserFolder({ vendor, application }: Brand) {
  const folder = await temporaryFolder()
  const userFolder = join(folder.path, vendor, application)
  return {
    localData: folder.path,
    options: { version: settingsVersion, folders: { applicationRoot: folder.path, userFolder } },
    userFile: join(userFolder, settingsVersion, 'user.config'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** A user's file with these settings. */
export function userFileText(settings: string): string {
  return `<configuration><userSettings><S>${settings}</S></userSettings></configuration>`
}

/** One setting of {@link userFileText}. */
export function settingText(name: string, value: string): string {
  return `<setting name="${name}" serializeAs="String"><value>${value}</value></setting>`
}
