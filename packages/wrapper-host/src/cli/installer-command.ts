import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { type Brand, wrapperUserFolder } from '@service-link/protocol-core'
import { closeWrappers } from '../install/close-wrappers.ts'
import { forgetUser } from '../install/forget-user.ts'
import { forgetRegistry } from '../install/note-installation.ts'
import { removeSettings, settleSettings } from '../install/settle-settings.ts'

/** What an installer can have the wrapper's executable do; each answers whether all was done. */
const commands: Readonly<Record<string, (brand: Brand, argv: readonly string[]) => Promise<boolean>>> = {
  close: brand => closeWrappers(brand),

  async forget(brand) {
    // A folder that a variable names is its chooser's to look after.
    const { SERVICE_WRAPPER_DATA: _moved, ...environment } = process.env
    const left = await forgetUser(resolve(wrapperUserFolder(brand, process.platform, environment, homedir)))
    await removeSettings(brand, dirname(process.execPath))
    const isForgotten = await forgetRegistry(brand).then(
      () => true,
      () => false,
    )
    return left === 0 && isForgotten
  },

  async settle(brand, [folder, delivered]) {
    await settleSettings(brand, dirname(process.execPath), { folder, delivered })
    return true
  },
}

/**
 * Carries out what an installer has the executable do; nobody else needs it. Writes nothing.
 *
 * - `close`: this user's wrappers close; waits for that, half a minute at most.
 * - `forget`: removes what the wrapper keeps for this user, but for the settings, and the settings for everybody beside the executable,
 *   when nobody has changed them.
 * - `settle [<folder> [<hash>]]`: makes those of the ones that were delivered, unless somebody has changed them since those with this hash,
 *   in the folder of the executable or in this former one, from where they are taken over. What is no
 *   absolute folder, or no hash, counts as none.
 *
 * @param argv what follows the word `installer`
 * @returns exit code: 0 when all was done, 1 when not, 2 for other arguments
 */
export async function installerCommand(argv: readonly string[], brand: Brand): Promise<number> {
  const [name = '', ...rest] = argv
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || rest.length > (name === 'settle' ? 2 : 0)) return 2
  try {
    return (await command(brand, rest)) ? 0 : 1
  } catch {
    // Whoever looks for the reason finds the file that could not be written: nothing is told that could name a person.
    return 1
  }
}
