import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultBrand } from '@service-link/protocol-core'

const template = fileURLToPath(new URL('../../wrapper-root/', import.meta.url))

/** Options of {@link makeWrapperFolders}. */
export interface MakeWrapperFoldersOptions {
  /** Folder in which both are made. */
  readonly folder: string
  /** Where the service is: the wrapper's `AppUrl`. */
  readonly appUrl: string
  /** The user's own setting `BrowserEngine`. */
  readonly browserEngine: 'EoWebBrowser' | 'Headless'
  /** The wrapper's version, whose `user.config` is written. */
  readonly version: string
  /** The user's own setting `WindowPlacement`: left,top,width,height. Default: none. */
  readonly placement?: string
}

/**
 * Makes the two folders of a wrapper for this demo alone, with the configuration files that an integrator would ship.
 *
 * @returns the environment variables that lead the wrapper there
 */
export async function makeWrapperFolders(options: MakeWrapperFoldersOptions): Promise<NodeJS.ProcessEnv> {
  const root = join(options.folder, 'wrapper-root')
  const data = join(options.folder, 'wrapper-data')
  const userFolder = join(data, options.version)
  await mkdir(root, { recursive: true })
  await mkdir(userFolder, { recursive: true })
  const shipped = await readFile(join(template, defaultBrand.configFile), 'utf8')
  const config = shipped.replace(/http:\/\/localhost:4280\//, new URL(options.appUrl).href)
  await writeFile(join(root, defaultBrand.configFile), config)
  const settings = { BrowserEngine: options.browserEngine, WindowPlacement: options.placement ?? '' }
  await writeFile(join(userFolder, 'user.config'), userConfig(settings))
  return { SERVICE_WRAPPER_ROOT: root, SERVICE_WRAPPER_DATA: data }
}

function userConfig(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(
    ([name, value]) => `      <setting name="${name}" serializeAs="String"><value>${value}</value></setting>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<configuration>
  <userSettings>
    <${defaultBrand.application}.Properties.Settings>
${lines.join('\n')}
    </${defaultBrand.application}.Properties.Settings>
  </userSettings>
</configuration>
`
}
