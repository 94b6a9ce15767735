import { hasBrowser } from '@service-link/test-kit/browser'
import { startTexts } from '@service-link/ui/page-language'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { t } from '../../src/web/texts/texts.ts'
import { accounts } from '../support/accounts.ts'
import { logInOn, newPage } from '../support/browser.ts'
import { type RunningService, startService } from '../support/service.ts'

describe.skipIf(!hasBrowser())('web app', () => {
  let running: RunningService
  let page: Page
  let client: ApiClient

  beforeAll(async () => {
    await startTexts('en')
    running = await startService({ showsDemoAccounts: true })
    client = await logInAs(running.service, accounts.ingrid)
    await client.send('POST', '/api/persons/select', {
      customId: 'p-1',
      firstname: 'Åse',
      lastname: 'Øvergård',
      dateOfBirth: '1979-05-12',
      profileData: [
        { key: 'weight', value: '70', unit: 'kg', date: '2026-01-01' },
        { key: 'weight', value: '71', unit: 'kg', date: '5 June 2026' },
        ...Array.from({ length: 11 }, (_, index) => ({
          name: `Test ${index}`,
          value: 1,
          date: '2026-01-01',
        })),
        { value: true, date: '1 June 2026' },
      ],
    })
    await client.send('POST', '/api/persons/select', { customId: 'p-2', firstname: 'Ola', lastname: 'Li' })
    page = (await newPage()).page
  })
  afterAll(async () => {
    await page.context().close()
    await running[Symbol.asyncDispose]()
  })

  /** Waits for a search's results: the former ones stay until then and may move. */
  async function untilFound(list: 'persons' | 'exercises' | 'workouts', text: string): Promise<void> {
    const { body } = await client.ask('POST', `/api/${list}/search`, { text })
    const results = body[list]
    if (!Array.isArray(results)) throw new TypeError('The service gave no list.')
    await page.getByText(t(`${list}.count`, { count: results.length }), { exact: true }).waitFor()
  }

  test('the log-in page shows the demo’s accounts', async () => {
    await page.goto(running.service.url)
    await page.getByTestId('demo-accounts').waitFor()
    await page.getByRole('button', { name: accounts.ingrid.name }).click()
    expect(await page.getByLabel('E-mail').inputValue()).toBe(accounts.ingrid.email)
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('signed-in-as').waitFor()
  })

  test('a person is found, put in focus and changed', async () => {
    await page.getByTestId('person-search').fill('ASE')
    await page.getByText('1 patient', { exact: true }).waitFor()
    expect(page.url()).not.toMatch(/ase/i)
    await page.getByTestId('person-result').click()
    await page.getByTestId('put-in-focus').click()
    await page.getByTestId('person-in-focus').waitFor()
    await page.getByTestId('edit-person').click()
    await page.getByLabel('Mobile').fill('+47 400 00 000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Date not understood: 5 June 2026').waitFor()
    await page.getByRole('button', { name: 'Show all 13 kinds' }).press('Enter')
    expect(await page.locator(':focus').textContent()).toContain('Without a name')
    await page.getByText('Date not understood: 1 June 2026').waitFor()
    await page.getByRole('heading', { name: 'About' }).click()
    await page.getByText('+47 400 00 000').waitFor()
    await page.reload()
    await page.getByText('+47 400 00 000').waitFor()
  })

  test.each([
    ['person', 'Patients', 'overgard'],
    ['exercise', 'Exercises', 'squat'],
    ['workout', 'Workouts', 'progression'],
  ] as const)(
    'a search of a %s is in no address, and the browser keeps it nowhere',
    async (noun, link, text) => {
      const addresses: string[] = []
      const note = (request: Request) => void addresses.push(request.url())
      page.on('request', note)
      await page.getByRole('link', { name: link, exact: true }).click()
      await page.getByTestId(`${noun}-results`).waitFor()
      const search = page.getByTestId(`${noun}-search`)
      await search.fill(text)
      await untilFound(`${noun}s`, text)
      const kept = async () =>
        JSON.stringify([
          addresses,
          page.url(),
          await page.title(),
          await page.evaluate(() => [
            history.state,
            { ...localStorage },
            { ...sessionStorage },
            document.cookie,
          ]),
        ]).toLowerCase()
      expect(await kept()).not.toContain(text.toLowerCase())
      await page.getByTestId(`${noun}-result`).first().getByRole('link').click()
      await page.getByTestId(`${noun}-detail`).waitFor()
      expect(await search.inputValue()).toBe(text)
      await page.goBack()
      expect(await search.inputValue()).toBe(text)
      expect(await kept()).not.toContain(text.toLowerCase())
      await page.reload()
      await page.getByTestId(`${noun}-results`).waitFor()
      expect(await search.inputValue()).toBe('')
      page.off('request', note)
    },
  )

  test('the focus follows the user into a record and back; arrow keys and / move in the list', async () => {
    const focused = () => page.locator(':focus')
    await page.goto(`${running.service.url}/exercises`)
    await page.getByTestId('exercise-search').fill('squat')
    await untilFound('exercises', 'squat')
    await page.keyboard.press('/')
    expect(await focused().getAttribute('data-testid')).toBe('exercise-search')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const first = page.getByTestId('exercise-result').first()
    expect(await focused().textContent()).toBe(await first.textContent())
    await page.keyboard.press('Enter')
    await page.locator('.pane-detail h2:focus').waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('link', { name: 'Back to exercises' }).click()
    await first.locator('a:focus').waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('forced colors show the current row and page', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await page.getByTestId('exercise-result').first().click()
    const row = '[data-testid="exercise-result"] a'
    const current = '[aria-current="true"]'
    await page.locator(`${row}${current}`).waitFor()
    const borderOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(element => getComputedStyle(element).borderLeftWidth)
    expect(await borderOf(`${row}${current}`)).toBe('3px')
    expect(await borderOf(`${row}:not(${current})`)).toBe('0px')
    expect(await borderOf('.shell-place[aria-current="page"]')).toBe('2px')
    await page.emulateMedia({ forcedColors: 'none' })
  })

  test('a lost network is said, nothing waits for it, and the page goes on without a reload', async () => {
    const notice = page.locator('[data-testid="notice"][data-subject="service"]')
    await page.evaluate('globalThis.isSamePage = true')
    await page.context().setOffline(true)
    await notice.getByText('No contact with the service').waitFor()
    await page.getByRole('link', { name: 'Workouts', exact: true }).click()
    await page.getByText('The list cannot be shown').waitFor()
    await page.context().setOffline(false)
    await page.getByTestId('workout-result').first().waitFor()
    await notice.getByText('The service answers again').waitFor()
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  })

  test('a service that hangs is said while its answers are awaited', async () => {
    const hang = (route: { abort: () => Promise<void> }) => void route
    await page.route(/\/(?:api|health)\//, hang)
    await page.getByRole('link', { name: 'Exercises', exact: true }).click()
    await page.getByTestId('exercise-search').fill('lunge')
    await page.locator('[data-subject="service"]').getByText('No contact with the service').waitFor()
    await page.unrouteAll()
    await page.getByTestId('exercise-result').first().waitFor()
    await page.locator('[data-subject="service"]').getByText('The service answers again').waitFor()
  })

  test('an unknown address or record shows a message', async () => {
    await page.goto(`${running.service.url}/workouts/999999`)
    await page.getByText('There is no such workout in your organization.').waitFor()
    await page.goto(`${running.service.url}/nowhere`)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  })

  test('a page with an expired session goes to the log-in and back', async () => {
    await page.goto(`${running.service.url}/workouts`)
    await page.getByTestId('workout-results').waitFor()
    await page.context().clearCookies()
    await page.getByTestId('workout-result').first().click()
    await page.getByTestId('log-in-ended').waitFor()
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('workout-detail').waitFor()
    await page.getByTestId('person-in-focus').waitFor()
    for (const account of [accounts.samuel, accounts.ingrid]) {
      await page.context().clearCookies()
      await page.reload()
      await logInOn(page, account)
      await page.getByTestId('workout-detail').waitFor()
      expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    }
    await page.getByTestId('sign-out').click()
    await page.getByTestId('log-in-signedOut').waitFor()
    expect(await page.title()).toBe('Sign in – Service')
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('workout-results').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${running.service.url}/workouts`)
    await other.getByTestId('sign-out').click()
    await page.getByTestId('log-in-endedElsewhere').waitFor()
    await other.close()
  })
})
