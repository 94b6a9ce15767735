import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { type Desktop, findProgram } from './desktop.ts'
import { eventually } from './story.ts'

/** The installed browser of the Chromium family; `SERVICE_BROWSER` names another. */
export function findBrowser(): string | undefined {
  return (
    process.env.SERVICE_BROWSER ||
    findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge')
  )
}

/** The person's own browser, in which the partner's page is open: a real window where there is a screen. */
export function openBrowser(executable: string, desktop: Desktop | undefined): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: executable,
    headless: desktop === undefined,
    timeout: 120_000,
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    env: definedOnly({ ...process.env, ...desktop?.environment }),
  })
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

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

/** Stands in for the operating system's opener of addresses. */
interface Opener {
  /** To be added to the environment of programs that use it. */
  readonly environment: { readonly PATH: string }
  /** One address a line. */
  readonly openedFile: string
}

/**
 * Puts a program before the one that opens addresses in the user's own browser, which writes them down instead.
 *
 * @param folder where it is written
 * @returns `undefined` on systems whose opener is not found by the path
 */
export async function makeOpener(folder: string): Promise<Opener | undefined> {
  if (process.platform !== 'linux') return undefined
  const programs = join(folder, 'programs')
  const openedFile = join(folder, 'opened')
  await mkdir(programs)
  const script = join(programs, 'xdg-open')
  await writeFile(script, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${openedFile}'\n`)
  await chmod(script, 0o700)
  return { environment: { PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` }, openedFile }
}
