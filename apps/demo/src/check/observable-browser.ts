import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from './expect.ts'

/**
 * Puts a start script before the browser that also opens the developer-tools port, so that the check can look into the
 * wrapper's real page. The wrapper itself opens no port.
 *
 * @param executable the installed browser
 * @param folder where the script is written
 * @param flags further flags of the browser
 * @returns path of the script, for `SERVICE_BROWSER`
 */
export async function makeObservable(
  executable: string,
  folder: string,
  flags: readonly string[] = [],
): Promise<string> {
  const script = join(folder, 'observable-browser')
  await writeFile(
    script,
    `#!/bin/sh\nexec '${executable}' ${['--remote-debugging-port=0', ...flags].join(' ')} "$@"\n`,
  )
  await chmod(script, 0o700)
  return script
}

/** Port that the browser of this profile listens at, once it does. */
export function observablePort(profileFolder: string): Promise<number> {
  return eventually('The browser’s port', async () => {
    const text = await readFile(join(profileFolder, 'DevToolsActivePort'), 'utf8').catch(() => '')
    return Number(text.split('\n')[0]) || undefined
  })
}
