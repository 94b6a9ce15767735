import type { DemoAccount } from '@service-link/service'
import type { Page } from 'playwright-core'

type LogIn = Pick<DemoAccount, 'email' | 'password'>

/** Logs an employee in, as the page asks for it. */
export async function logInAs(page: Page, { email, password }: LogIn): Promise<void> {
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
