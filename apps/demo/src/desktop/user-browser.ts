import { chmod, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DemoAccount } from '@service-link/service'
import { chromium, type Page } from 'playwright-core'

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

/** Logs an employee in, as the page asks for it. */
export async function logInAs(
  page: Page,
  { email, password }: Pick<DemoAccount, 'email' | 'password'>,
): Promise<void> {
  const form = page.getByTestId('login-form')
  await form.locator('input[name="email"]').fill(email)
  await form.locator('input[name="password"]').fill(password)
  await form.locator('input[name="password"]').press('Enter')
}

/** Gives the person in focus the first workout of the library; returns its name. */
export async function giveFirstWorkout(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Workouts', exact: true }).click()
  await page.getByTestId('workout-result').first().getByRole('link').click()
  await page.getByTestId('give-workout').click()
  const given = page.getByText(/^Given to /).first()
  await given.waitFor()
  return (await page.getByTestId('workout-detail').getByRole('heading').first().textContent()) ?? ''
}
