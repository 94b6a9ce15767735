import { chmod, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { chromium } from 'playwright-core'

/** Starts the user's browser: in a real window if there is a screen. */
export function openBrowser(executablePath: string, display?: { readonly DISPLAY: string | undefined }) {
  const quiet = ['--disable-gpu', '--no-first-run', '--disable-component-update', '--disable-sync']
  return chromium.launch({
    executablePath,
    headless: display === undefined,
    timeout: 120_000,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...quiet],
    env: { ...process.env, ...display },
  })
}

/**
 * Writes a start script for the browser that also opens the developer-tools port. The check then reads the wrapper's
 * real page. The wrapper itself opens no port.
 */
export async function makeObservable(
  executable: string,
  folder: string,
  flags: readonly string[] = [],
): Promise<string> {
  // The engine knows a browser without windows by its name.
  const script = join(folder, `observable-${basename(executable)}`)
  await writeFile(
    script,
    `#!/bin/sh\nexec '${executable}' ${['--remote-debugging-port=0', ...flags].join(' ')} "$@"\n`,
  )
  await chmod(script, 0o700)
  return script
}
