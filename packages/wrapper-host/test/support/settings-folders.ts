import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from './temporary-folder.ts'

/** The version whose settings are tried. */
export const settingsVersion = '3.0.0.0'

/** An application root that is there and a user folder that is not yet, as options of what reads settings. */
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
    /** Writes a user's file as this version or another has left it. */
    async writeUserFile(text: string, version = settingsVersion): Promise<void> {
      await mkdir(join(userFolder, version), { recursive: true })
      await writeFile(userFileOf(version), text)
    },
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
