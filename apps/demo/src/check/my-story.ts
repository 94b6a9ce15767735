import type { Browser, BrowserContext } from 'playwright-core'
import { expectEqual, expectMatch } from './expect.ts'
import type { Story } from './story.ts'

/** What the story is told with. */
export interface MyStoryOptions {
  readonly story: Story
  readonly browser: Browser
  /** Where the employee is signed in, with a patient in focus in the tab opened last. */
  readonly context: BrowserContext
  readonly serviceUrl: string
  readonly eIdUrl: string
}

/** An employee gives the patient in focus a workout; the patient logs in through the e-ID, sees it, and logs out. */
export async function tellMyStory({
  story,
  browser,
  context,
  serviceUrl,
  eIdUrl,
}: MyStoryOptions): Promise<void> {
  const given = await story.step('the employee gives the patient in focus a workout', async () => {
    const tab = context.pages().at(-1)
    if (!tab) throw new Error('there is no tab')
    const patient = (await tab.getByTestId('person-in-focus').getAttribute('data-custom-id')) ?? ''
    await tab.getByRole('link', { name: 'Workouts', exact: true }).click()
    await tab.getByTestId('workout-result').first().click()
    await tab.getByTestId('give-workout').click()
    await tab
      .getByText(/^Given to /)
      .first()
      .waitFor()
    const workout = (await tab.getByTestId('workout-detail').getByRole('heading').first().textContent()) ?? ''
    return { patient, workout }
  })

  const own = await browser.newContext({ viewport: { width: 390, height: 844 } })
  own.setDefaultTimeout(60_000)
  const page = await own.newPage()
  try {
    await story.step(
      '“my workouts” sends the patient to the national e-ID, on a site of its own',
      async () => {
        await page.goto(`${serviceUrl}/my`)
        await page.getByTestId('my-log-in').click()
        await page.getByText('Who are you?').waitFor()
        expectEqual('origin', new URL(page.url()).origin, eIdUrl)
      },
    )

    await story.step(
      '[5.1-consumer] the identity number finds the patient: exactly that workout is shown',
      async () => {
        await page.getByRole('radio', { name: new RegExp(given.patient) }).check()
        await page.getByRole('button', { name: 'Log in' }).click()
        await page.getByTestId('my-workout').waitFor()
        expectEqual('number of workouts', await page.getByTestId('my-workout').count(), 1)
        expectMatch(
          'workout',
          (await page.getByTestId('my-workout').textContent()) ?? '',
          startOf(given.workout),
        )
        await page.getByTestId('my-workout').getByRole('link').click()
        await page.getByTestId('my-exercise').first().waitFor()
      },
    )

    await story.step('after the log-out, here and at the e-ID, nothing of the patient is left', async () => {
      await page.getByTestId('my-sign-out').click()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByTestId('my-log-in').waitFor()
      const answer = await page.request.get(`${serviceUrl}/api/my/workouts`)
      expectEqual('status', answer.status(), 401)
    })
  } finally {
    await own.close()
  }
}

function startOf(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`)
}
