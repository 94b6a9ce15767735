import { stripVTControlCharacters } from 'node:util'
import { demoAccounts } from '@service-link/service'
import { axeProblems, hasBrowser, logInOn, newPage } from '@service-link/service/test-kit'
import { launchBrowser } from '@service-link/test-kit/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDemo } from '../../src/demo/show-demo.ts'

const options = { servicePort: 0, partnerPort: 0, eIdPort: 0, homePort: 0, wrapper: 'memory' } as const

describe.skipIf(!hasBrowser())('the landing page', () => {
  const lines: string[] = []
  let demo: Awaited<ReturnType<typeof startDemo>>
  beforeAll(async () => {
    demo = await startDemo(options, line => lines.push(line))
  })
  afterAll(() => demo[Symbol.asyncDispose]())

  test('each step has its button, and its state follows what happens', async () => {
    const { page, complaints } = await newPage()
    await page.goto(demo.startFile)
    const state = (step: string) => page.getByTestId(step).getByRole('status')
    await state('step-link').getByText('Nobody has been opened yet.').waitFor()

    // The wrapper's post is none of step 1.
    await state('step-wrapper').getByText('The wrapper runs with a page in memory').waitFor()
    await page.getByTestId('step-wrapper').getByRole('button').click()
    await state('step-wrapper').getByText('Do step 1 first').waitFor()
    await state('step-link').getByText('Nobody has been opened yet.').waitFor()

    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByTestId('step-link').getByRole('button').press('Enter'),
    ])
    await page.getByTestId('step-link').locator('button:focus').waitFor()
    await state('step-link').getByText('for the first sign-in').waitFor()
    const [employee] = demoAccounts
    if (!employee) throw new TypeError('The demo has no account.')
    await logInOn(tab, { ...employee, password: 'not-the-password' })
    await tab.getByTestId('login-error').waitFor()
    await logInOn(tab, employee)
    expect(await tab.getByTestId('sent-from').textContent()).toMatch(/^http:/)
    await tab.getByTestId('link-confirm').click()
    await state('step-link')
      .getByText(/Åse Marie Øvergård has been open in the service since \d\d:\d\d\./)
      .waitFor()
    // A post of somebody else changes nothing of a step that is done.
    const refused = await page.request.post(demo.facts.payloadUrl, { form: { payload: 'x' } })
    expect(refused.ok()).toBe(false)

    await state('step-wrapper').getByText('The wrapper runs with a page in memory').waitFor()
    await page.getByTestId('step-wrapper').getByRole('button').click()
    await state('step-wrapper')
      .getByText(/selectperson → created, userid \d+/)
      .waitFor()
    await state('step-wrapper')
      .getByText(/^Kari Nordmann is open/)
      .waitFor()

    const [my] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByTestId('step-my').getByRole('link').click(),
    ])
    await my.getByTestId('my-log-in').click()
    await my.getByRole('radio').first().check()
    await my.getByRole('button', { name: 'Sign in' }).click()
    await state('step-my')
      .getByText(/Åse Marie Øvergård signed in at \d\d:\d\d\./)
      .waitFor()

    // Each member has one number on both sides.
    for (const [step, sent, label, value] of [
      ['link', '"birthdate": "1979-05-12"', 'Date of birth', '12 May 1979'],
      ['wrapper', '"firstname": "Kari"', 'First name', 'Kari'],
      ['my', '"ssn": "128579 •••••"', 'Identity number', '128579 •••••'],
    ] as const) {
      const travelled = page.getByTestId(`travelled-${step}`)
      const number = Number.parseInt(
        (await travelled.locator('li', { hasText: sent }).textContent()) ?? '',
        10,
      )
      expect(number).toBeGreaterThan(0)
      const row = await travelled.locator('dl > div', { hasText: label }).textContent()
      expect(row).toBe(`${number}${label}${value}`)
    }
    await page.getByTestId('travelled-wrapper').getByText('Weight: 71.5 kg').waitFor()
    const mail = page.getByTestId('travelled-link').locator('dd', { hasText: '@' })
    expect(await mail.innerHTML()).toContain('<wbr>@')
    expect(await page.getByRole('img').getAttribute('aria-label')).not.toContain('not run yet')
    expect(await page.content()).not.toMatch(/12857948368/)

    expect(complaints).toEqual([])

    const links = await page.getByRole('link').evaluateAll(all => all.map(link => link.getAttribute('href')))
    // Without those that a command to copy has as a value.
    const printed = stripVTControlCharacters(lines.join('\n')).match(/(?<!=)http:\/\/\S+/g) ?? []
    for (const url of new Set([...links, ...printed])) {
      const answer = await page.request.get(new URL(url ?? '', demo.home.origin).href)
      expect([url, answer.status()]).toEqual([url, 200])
    }
    await page.context().close()
  })

  test('a blocked tab is said, with what to do', async () => {
    const browser = await launchBrowser({ isStrict: true })
    const page = await browser.newPage()
    await page.goto(demo.startFile)
    const devTools = await page.context().newCDPSession(page)
    // Not as the user: the browser opens no tab then.
    const run = async (expression: string) =>
      (await devTools.send('Runtime.evaluate', { expression, userGesture: false })).result.value
    const button = 'document.querySelector("[data-testid=step-link] button")'
    await expect.poll(() => run(`${button} !== null`), { timeout: 60_000 }).toBe(true)
    await run(`${button}.click()`)
    const step = page.getByTestId('step-link')
    await step.getByRole('alert').getByText('Allow pop-ups for this page').waitFor()
    expect(page.context().pages()).toHaveLength(1)
    await browser.close()
  })

  test('a demo that does not answer is said beside the pressed button, until it is back', async () => {
    const { page } = await newPage()
    await page.goto(demo.startFile)
    const step = page.getByTestId('step-wrapper')
    await step.getByRole('button').waitFor()
    await page.route('**/api/**', route => route.abort())
    await step.getByRole('button').click()
    await step.getByRole('alert').getByText('The demo does not answer').waitFor()
    await page.unroute('**/api/**')
    await step.getByRole('alert').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('its start file and its links open each page, without a cookie and with no key in an address', async () => {
    const { page } = await newPage()
    const context = page.context()
    // What its server answered, and so with a key: the title stands in every page's HTML.
    const shows = (tab: Page, part: string | RegExp) => tab.getByTestId(part).waitFor()
    for (let time = 0; time < 2; time += 1) {
      await page.goto(demo.startFile)
      await shows(page, 'step-link')
      expect(page.url()).not.toContain('key')
      await page.reload()
      await shows(page, 'step-link')
    }
    for (const [part, link] of [
      ['employee', 'The clinic’s journal'],
      ['post', 'The launcher'],
      // Empty or not: programs of the steps before have passed the wrapper.
      [/^exchanges/, 'The console'],
    ] as const) {
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: link }).click(),
      ])
      await shows(tab, part)
      expect(tab.url()).not.toContain('key=')
    }
    expect(await context.cookies()).toEqual([])
    await context.close()
  })

  test('without a key each page says where to get one, and says so of a key that was used', async () => {
    const { page } = await newPage()
    const used = demo.home.openUrl()
    await page.goto(used)
    await page.getByTestId('step-link').waitFor()
    // A tab of its own, as of another user who has read the address.
    const { page: other } = await newPage()
    for (const url of [
      used,
      ...['', 'console'].map(name => `${demo.home.origin}/${name}`),
      demo.partner.url,
      `${demo.partner.url}/launcher`,
    ]) {
      await other.goto('about:blank')
      await other.goto(url)
      await other.getByRole('alert').getByText('Open this page from the landing page').waitFor()
      expect(await axeProblems(other)).toEqual([])
    }
    await Promise.all([page, other].map(open => open.context().close()))
  })
})
