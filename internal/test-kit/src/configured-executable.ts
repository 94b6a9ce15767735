import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { type ExecutableOptions, wrapperExecutable } from './wrapper-executable.ts'

/** The real executable with further global settings, and with modules in the folder `providers`. */
export async function configuredExecutable(
  settings: Readonly<Record<string, string>>,
  modules: Readonly<Record<string, string | Uint8Array>> = {},
  options: ExecutableOptions = {},
) {
  const wrapper = await wrapperExecutable(options)
  const root = join(wrapper.folder, 'root')
  const configFile = join(root, defaultBrand.configFile)
  const added = Object.entries(settings)
    .map(([name, value]) => `<setting name="${name}"><value>${value}</value></setting>`)
    .join('')
  const config = await readFile(configFile, 'utf8')
  await writeFile(configFile, config.replace('<applicationSettings><S>', `$&${added}`))
  const providers = join(root, 'providers')
  await mkdir(providers, { recursive: true, mode: 0o755 })
  // With a umask of 002 the group may write, and the wrapper refuses to load the files.
  await chmod(root, 0o755)
  for (const [name, content] of Object.entries(modules))
    await writeFile(join(providers, name), content, { mode: 0o644 })
  const [, appUrl = ''] = /name="AppUrl"><value>([^<]+)</.exec(config) ?? []
  return { ...wrapper, appUrl, [Symbol.asyncDispose]: () => wrapper[Symbol.asyncDispose]() }
}
