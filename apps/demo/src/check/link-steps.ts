import type { DemoAccount } from '@service-link/service'
import type { Browser, Page } from 'playwright-core'
import type { DemoServers } from '../demo/start-servers.ts'
import { expectEqual, expectMatch, type Story } from './story.ts'

/**
 * Opens patients from the journal: the first one with a log-in, the second without. Then replays a payload. The journal stays open
 * until the end, as the window of another application.
 */
export async function tellLink(story: Story, browser: Browser, servers: DemoServers): Promise<void> {
  const { service, partner, employee } = servers
  const context = await browser.newContext()
  context.setDefaultTimeout(60_000)
  let post = ''
  context.on('request', request => {
    if (request.url().endsWith('/partner/payload')) post = request.postData() ?? post
  })
  const journal = await context.newPage()
  await journal.goto(partner.openUrl())
  /** Opens a patient in the service, in a new tab. */
  const visit = async (patient: string) => {
    const opened = context.waitForEvent('page')
    await journal.getByTestId(`open-${patient}`).click()
    const tab = await opened
    await tab.getByTestId('login-form').or(tab.getByTestId('person-in-focus')).waitFor()
    return { tab, asksForLogIn: (await tab.getByTestId('login-form').count()) > 0 }
  }
  const inFocus = (tab: Page) => tab.getByTestId('person-in-focus').getAttribute('data-custom-id')

  const [first, second] = await story.step('the partner application lists its patients', async () => {
    const buttons = journal.locator('[data-testid^="open-"]')
    await buttons.first().waitFor()
    const ids = await buttons.evaluateAll(all => all.map(one => one.getAttribute('data-testid')?.slice(5)))
    const [one, two] = ids
    if (!one || !two) throw new Error('there are not two')
    return [one, two] as const
  })
  const tab = await story.step(
    '[1-first-visit] the button opens a new tab, and the first visit asks for a log-in',
    async () => {
      const opened = await visit(first)
      expectEqual('a log-in is asked for', opened.asksForLogIn, true)
      return opened.tab
    },
  )
  await story.step(
    '[4.1-page] after the log-in and the confirmation of the link the web app shows the contact in focus',
    async () => {
      await logInAs(tab, employee)
      await tab.getByTestId('link-confirm').click()
      expectEqual('in focus', await inFocus(tab), first)
    },
  )
  const last = await story.step(
    '[1-first-visit] the second contact is in focus without a prompt',
    async () => {
      const opened = await visit(second)
      expectEqual('a log-in is asked for', opened.asksForLogIn, false)
      expectEqual('in focus', await inFocus(opened.tab), second)
      return opened.tab
    },
  )
  await story.step('a reload of that tab shows the same contact, by a GET', async () => {
    expectEqual('method', (await last.reload())?.request().method(), 'GET')
    expectEqual('in focus', await inFocus(last), second)
  })
  await story.step('[5.1-signed] a replayed payload is refused with ERR_PAYLOAD_REPLAYED', async () => {
    const answer = await fetch(`${service.url}/partner/payload`, {
      method: 'POST',
      headers: { accept: 'application/problem+json' },
      body: new URLSearchParams(post),
      signal: AbortSignal.timeout(30_000),
    })
    expectMatch('refusal', `${answer.status} ${await answer.text()}`, /^401 .*"ERR_PAYLOAD_REPLAYED"/)
  })
  await story.chapter('Consumer app', () => tellMy(story, browser, last, second, servers))
  // Its window is the other application, by its title.
  await journal.bringToFront()
}

/** An employee gives the patient in focus a workout; the patient logs in through the e-ID, sees it, and logs out. */
async function tellMy(
  story: Story,
  browser: Browser,
  tab: Page,
  patient: string,
  { service, eId }: DemoServers,
): Promise<void> {
  await using own = await browser.newContext({ viewport: { width: 390, height: 844 } })
  own.setDefaultTimeout(60_000)
  const my = await own.newPage()
  const workout = await story.step('the employee gives the patient in focus a workout', () =>
    giveFirstWorkout(tab),
  )
  await story.step('“my workouts” sends the patient to the national e-ID, on a site of its own', async () => {
    await my.goto(`${service.url}/my`)
    await my.getByTestId('my-log-in').click()
    await my.getByText('Who are you?').waitFor()
    expectEqual('origin', new URL(my.url()).origin, eId.url)
  })
  await story.step(
    '[5.1-consumer] the identity number finds the patient: exactly that workout is shown',
    async () => {
      await my.getByRole('radio', { name: new RegExp(patient.slice(0, 6)) }).check()
      await my.getByRole('button', { name: 'Sign in' }).click()
      const shown = my.getByTestId('my-workout')
      await shown.first().waitFor()
      expectEqual('workouts', await shown.locator('b').allTextContents(), [workout])
    },
  )
  await story.step('after the log-out, here and at the e-ID, nothing of the patient is left', async () => {
    await my.getByTestId('my-sign-out').click()
    await my.getByRole('button', { name: 'Sign out' }).click()
    await my.getByTestId('my-log-in').waitFor()
    const answer = await my.request.get(`${service.url}/api/my/workouts`)
    expectEqual('status', answer.status(), 401)
  })
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
