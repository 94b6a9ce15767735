import { type Browser, chromium, type Page } from 'playwright-core'
import type { DemoServers } from '../demo/start-servers.ts'
import type { LinkStage } from './link-stage.ts'

/** The link in a browser, from the journal's page. It stays open until the end, as the window of another application. */
export async function startBrowserLink(browser: Browser, servers: DemoServers): Promise<LinkStage> {
  const { service, partner, employee } = servers
  const context = await browser.newContext()
  context.setDefaultTimeout(60_000)
  let post = ''
  context.on('request', request => {
    if (request.url().endsWith('/partner/payload')) post = request.postData() ?? post
  })
  const journal = await context.newPage()
  await journal.goto(partner.openUrl())
  let tab = journal
  const own = await browser.newContext({ viewport: { width: 390, height: 844 } })
  own.setDefaultTimeout(60_000)
  const my = await own.newPage()
  return {
    async patients() {
      const buttons = journal.locator('[data-testid^="open-"]')
      await buttons.first().waitFor()
      return buttons.evaluateAll(all => all.map(one => (one.getAttribute('data-testid') ?? '').slice(5)))
    },
    async visit(patient) {
      const opened = context.waitForEvent('page')
      await journal.getByTestId(`open-${patient}`).click()
      tab = await opened
      const logIn = tab.getByTestId('login-form')
      await logIn.or(tab.getByTestId('person-in-focus')).waitFor()
      return (await logIn.count()) > 0 ? 'log-in' : 'in-focus'
    },
    async confirm() {
      await tab.locator('input[name="email"]').fill(employee.email)
      await tab.locator('input[name="password"]').fill(employee.password)
      await tab.locator('input[name="password"]').press('Enter')
      await tab.getByTestId('link-confirm').click()
    },
    personInFocus: () => tab.getByTestId('person-in-focus').getAttribute('data-custom-id'),
    reload: async () => (await tab.reload())?.request().method(),
    lastPost: () => post,
    giveWorkout: () => giveWorkout(tab),
    async askForMyWorkouts() {
      await my.goto(`${service.url}/my`)
      await my.getByTestId('my-log-in').click()
      await my.getByText('Who are you?').waitFor()
      return my.url()
    },
    async logInAtEId(identityNumber) {
      await my.getByRole('radio', { name: new RegExp(identityNumber) }).check()
      await my.getByRole('button', { name: 'Log in' }).click()
      await my.getByTestId('my-workout').first().waitFor()
      return my.getByTestId('my-workout').locator('b').allTextContents()
    },
    async logOutOfMyWorkouts() {
      await my.getByTestId('my-sign-out').click()
      await my.getByRole('button', { name: 'Log out' }).click()
      await my.getByTestId('my-log-in').waitFor()
      const answer = await my.request.get(`${service.url}/api/my/workouts`)
      await own.close()
      // Its window is the other application, by its title.
      await journal.bringToFront()
      return answer.status()
    },
    [Symbol.asyncDispose]: () => own.close(),
  }
}

async function giveWorkout(tab: Page): Promise<string> {
  await tab.getByRole('link', { name: 'Workouts', exact: true }).click()
  await tab.getByTestId('workout-result').first().click()
  await tab.getByTestId('give-workout').click()
  await tab
    .getByText(/^Given to /)
    .first()
    .waitFor()
  return (await tab.getByTestId('workout-detail').getByRole('heading').first().textContent()) ?? ''
}

/** Starts the user's browser for the journal: in a real window if there is a screen. */
export function openBrowser(executablePath: string, display?: { readonly DISPLAY: string }) {
  const quiet = ['--disable-gpu', '--no-first-run', '--disable-component-update', '--disable-sync']
  return chromium.launch({
    executablePath,
    headless: display === undefined,
    timeout: 120_000,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...quiet],
    env: { ...process.env, ...display },
  })
}
