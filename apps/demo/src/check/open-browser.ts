import { type Browser, chromium } from 'playwright-core'
import type { Desktop } from './desktop.ts'

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
