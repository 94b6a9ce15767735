import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { type Brand, wrapperUserFolder } from '@service-link/protocol-core'
import { closeWrappers, forgetUser } from '../install/installer.ts'
import { forgetRegistry } from '../install/note-installation.ts'

/** The commands of an installer. Each returns whether it did everything. */
const commands: Readonly<Record<string, (brand: Brand) => Promise<boolean>>> = {
  close: brand => closeWrappers(brand),

  async forget(brand) {
    // Whoever names another folder with a variable looks after it.
    const { SERVICE_WRAPPER_DATA: _moved, ...environment } = process.env
    const left = await forgetUser(resolve(wrapperUserFolder(brand, process.platform, environment, homedir)))
    const isForgotten = await forgetRegistry(brand).then(
      () => true,
      () => false,
    )
    return left === 0 && isForgotten
  },
}

/**
 * Carries out a command of an installer. Prints nothing.
 *
 * - `close`: closes this user's wrappers, and waits for at most half a minute.
 * - `forget`: removes what the wrapper keeps for this user, except the settings.
 *
 * @param argv arguments after `installer`
 * @returns exit code: 0 when everything was done, 1 when not, 2 for other arguments
 */
export async function installerCommand(argv: readonly string[], brand: Brand): Promise<number> {
  const [name = '', ...rest] = argv
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || rest.length > 0) return 2
  try {
    return (await command(brand)) ? 0 : 1
  } catch {
    // The error may name a person.
    return 1
  }
}
