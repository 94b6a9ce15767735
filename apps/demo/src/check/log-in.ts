import type { Employee } from './account.ts'
import { eventually } from './expect.ts'
import type { PageObserver } from './page-observer.ts'

/** Logs an employee in at the form of the web app in the wrapper's window. */
export async function logIn(page: PageObserver, { email, password }: Employee): Promise<void> {
  await page.type('[data-testid="login-form"] input[name="email"]', email)
  await page.type('[data-testid="login-form"] input[name="password"]', password)
  await page.pressEnter()
  await eventually('A signed-in employee', () => page.text('signed-in-as'))
}
