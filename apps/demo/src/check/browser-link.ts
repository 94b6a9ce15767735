import { type Browser, chromium } from 'playwright-core'
import type { DemoServers } from '../demo/start-servers.ts'
import { giveFirstWorkout, logInAs } from './page-acts.ts'

/** Who posts visits, and what comes of them: a browser with the journal, or requests alone, which cannot reload. */
export type LinkStage = Omit<BrowserLink, 'reload'> & Partial<BrowserLink>

type BrowserLink = Awaited<ReturnType<typeof startBrowserLink>>

/** The link in a browser, from the journal's page. It stays open until the end, as the window of another application. */
export async function startBrowserLink(browser: Browser, servers: DemoServers) {
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
    /** CustomIds of the journal's patients. */
    async patients() {
      const buttons = journal.locator('[data-testid^="open-"]')
      await buttons.first().waitFor()
      return buttons.evaluateAll(all => all.map(one => (one.getAttribute('data-testid') ?? '').slice(5)))
    },
    /** Opens a patient in the service; says what the service then shows. */
    async visit(patient: string) {
      const opened = context.waitForEvent('page')
      await journal.getByTestId(`open-${patient}`).click()
      tab = await opened
      const logIn = tab.getByTestId('login-form')
      await logIn.or(tab.getByTestId('person-in-focus')).waitFor()
      return (await logIn.count()) > 0 ? 'log-in' : 'in-focus'
    },
    /** Logs in as the employee, and confirms the link. */
    async confirm() {
      await logInAs(tab, employee)
      await tab.getByTestId('link-confirm').click()
    },
    personInFocus: () => tab.getByTestId('person-in-focus').getAttribute('data-custom-id'),
    reload: async () => (await tab.reload())?.request().method(),
    lastPost: () => post,
    giveWorkout: () => giveFirstWorkout(tab),
    /** Asks for “my workouts” as a patient; the address of the page that asks who that is. */
    async askForMyWorkouts() {
      await my.goto(`${service.url}/my`)
      await my.getByTestId('my-log-in').click()
      await my.getByText('Who are you?').waitFor()
      return my.url()
    },
    /** The names of the workouts. */
    async logInAtEId(identityNumber: string): Promise<readonly string[]> {
      await my.getByRole('radio', { name: new RegExp(identityNumber) }).check()
      await my.getByRole('button', { name: 'Log in' }).click()
      await my.getByTestId('my-workout').first().waitFor()
      return my.getByTestId('my-workout').locator('b').allTextContents()
    },
    /** Logs out; the status of a later question for workouts. */
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
