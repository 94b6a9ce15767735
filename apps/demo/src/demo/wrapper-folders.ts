import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultBrand, type SettingName } from '@service-link/protocol-core'

const template = fileURLToPath(new URL('../../wrapper-root/', import.meta.url))
const exampleProviders = fileURLToPath(new URL('../../../../docs/examples/providers/', import.meta.url))

interface MakeWrapperFoldersOptions {
  readonly folder: string
  readonly settings: Readonly<Partial<Record<SettingName, string>>> & { readonly AppUrl: string }
}

export type MadeWrapperFolders = Awaited<ReturnType<typeof makeWrapperFolders>>

/**
 * Makes an application root as an integrator ships it: a configuration file and the example providers of the
 * documentation. The wrapper makes the per-user folder.
 */
export async function makeWrapperFolders(options: MakeWrapperFoldersOptions) {
  const places = wrapperPlaces(options.folder)
  const { root } = places
  // The wrapper runs the providers in it, and refuses a folder that others may change.
  await mkdir(join(root, 'providers'), { recursive: true, mode: 0o700 })
  const shipped = await readFile(join(template, defaultBrand.configFile), 'utf8')
  await writeFile(join(root, defaultBrand.configFile), fillConfig(shipped, options.settings))
  for (const name of await readdir(exampleProviders))
    await writeFile(join(root, 'providers', name), await readFile(join(exampleProviders, name)), {
      mode: 0o600,
    })
  return places
}

/** The two folders of the demo's wrapper, and the variables that lead programs to them. */
export function wrapperPlaces(folder: string) {
  const [root, data] = [join(folder, 'wrapper-root'), join(folder, 'wrapper-data')]
  return { root, data, environment: { SERVICE_WRAPPER_ROOT: root, SERVICE_WRAPPER_DATA: data } }
}

/** Changes values in a configuration file, which must have all of these settings. */
export function fillConfig(config: string, values: Readonly<Record<string, string>>): string {
  let filled = config
  for (const [name, value] of Object.entries(values)) {
    const pattern = new RegExp(`(<setting name="${name}"[^>]*>\\s*<value>)[^<]*(?=</value>)`)
    if (!pattern.test(filled)) throw new TypeError(`The configuration file has no setting ${name}.`)
    filled = filled.replace(pattern, (_, before: string) => before + escapeXml(value))
  }
  return filled
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
