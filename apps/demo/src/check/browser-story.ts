import type { Browser, BrowserContext, Page } from 'playwright-core'
import * as z from 'zod'
import type { DemoServers } from '../demo/start-servers.ts'
import { expectEqual, type Story } from './story.ts'

interface BrowserStage {
  readonly story: Story
  readonly browser: Browser
  /** The employee signs in here. */
  readonly context: BrowserContext
  readonly servers: DemoServers
}

const problemSchema = z.object({ code: z.string() })

interface Row {
  readonly id: string
  readonly name: string
}

/** Opens patients from the partner's page: the first one with a log-in, the second without. Then replays a payload. */
export async function tellPartnerLinkStory({ story, context, servers }: BrowserStage): Promise<void> {
  const { service, partner, employee } = servers
  const page = await context.newPage()

  const [first, second] = await story.step('the partner application lists its patients', async () => {
    await page.goto(partner.openUrl())
    const rows = await readRows(page)
    const [one, two] = rows
    if (!one || !two) throw new Error(`there are ${rows.length} patients on the page, expected at least 2`)
    return [one, two] as const
  })

  const posted: string[] = []
  context.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/partner/payload'))
      posted.push(request.postData() ?? '')
  })

  const tab = await story.step(
    '[1-first-visit] the button opens a new tab, and the first visit asks for a log-in',
    async () => {
      const opened = await press(page, first)
      await opened.getByTestId('login-form').waitFor()
      return opened
    },
  )

  await story.step(
    '[4.1-page] after the log-in and the confirmation of the link the web app shows the contact in focus',
    async () => {
      await tab.locator('input[name="email"]').fill(employee.email)
      await tab.locator('input[name="password"]').fill(employee.password)
      await tab.locator('input[name="password"]').press('Enter')
      await tab.getByTestId('link-confirm').click()
      await expectInFocus(tab, first)
    },
  )

  await story.step('[1-first-visit] the second contact is in focus without a prompt', async () => {
    const opened = await press(page, second)
    await expectInFocus(opened, second)
    expectEqual('number of log-in forms', await opened.getByTestId('login-form').count(), 0)
  })

  await story.step('a reload of that tab shows the same contact, by a GET', async () => {
    const opened = context.pages().at(-1)
    if (!opened) throw new Error('there is no tab')
    const answer = await opened.reload()
    expectEqual('method', answer?.request().method(), 'GET')
    await expectInFocus(opened, second)
  })

  await story.step('[5.1-signed] a replayed payload is refused with ERR_PAYLOAD_REPLAYED', async () => {
    const body = posted.at(-1)
    if (!body) throw new Error('no post was seen')
    const answer = await fetch(new URL('/partner/payload', service.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/problem+json',
      },
      body,
      signal: AbortSignal.timeout(30_000),
    })
    expectEqual('status', answer.status, 401)
    expectEqual('code', problemSchema.parse(await answer.json()).code, 'ERR_PAYLOAD_REPLAYED')
  })
  await page.bringToFront()
}

async function readRows(page: Page): Promise<readonly Row[]> {
  const buttons = page.locator('[data-testid^="open-"]')
  await buttons.first().waitFor()
  return buttons.evaluateAll(elements =>
    elements.map(element => ({
      id: (element.getAttribute('data-testid') ?? '').slice('open-'.length),
      name: element.getAttribute('data-name') ?? '',
    })),
  )
}

async function press(page: Page, row: Row): Promise<Page> {
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByTestId(`open-${row.id}`).click(),
  ])
  return opened
}

async function expectInFocus(page: Page, row: Row): Promise<void> {
  const focus = page.getByTestId('person-in-focus')
  await focus.waitFor()
  expectEqual('CustomId in focus', await focus.getAttribute('data-custom-id'), row.id)
  expectEqual('name is in focus', (await focus.textContent())?.includes(row.name), true)
}

/**
 * An employee gives the patient in focus a workout, in the tab opened last; the patient logs in through the e-ID, sees
 * it, and logs out.
 */
export async function tellMyStory({ story, browser, context, servers }: BrowserStage): Promise<void> {
  const { service, eId } = servers
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
        await page.goto(`${service.url}/my`)
        await page.getByTestId('my-log-in').click()
        await page.getByText('Who are you?').waitFor()
        expectEqual('origin', new URL(page.url()).origin, eId.url)
      },
    )

    await story.step(
      '[5.1-consumer] the identity number finds the patient: exactly that workout is shown',
      async () => {
        await page.getByRole('radio', { name: new RegExp(given.patient) }).check()
        await page.getByRole('button', { name: 'Log in' }).click()
        await page.getByTestId('my-workout').waitFor()
        expectEqual('number of workouts', await page.getByTestId('my-workout').count(), 1)
        const text = await page.getByTestId('my-workout').textContent()
        expectEqual('the workout is shown', text?.startsWith(given.workout), true)
        await page.getByTestId('my-workout').getByRole('link').click()
        await page.getByTestId('my-exercise').first().waitFor()
      },
    )

    await story.step('after the log-out, here and at the e-ID, nothing of the patient is left', async () => {
      await page.getByTestId('my-sign-out').click()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByTestId('my-log-in').waitFor()
      const answer = await page.request.get(`${service.url}/api/my/workouts`)
      expectEqual('status', answer.status(), 401)
    })
  } finally {
    await own.close()
  }
}
