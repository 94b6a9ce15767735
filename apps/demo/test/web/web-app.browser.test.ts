import { t } from 'i18next'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTexts } from '../../src/web/texts/texts.ts'
import { accounts } from '../support/accounts.ts'
import { hasBrowser, logInOn, newPage } from '../support/browser.ts'
import { type ApiClient, logInAs, type RunningService, startService } from '../support/service.ts'

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
      profileData: [{ key: 'weight', value: '70', unit: 'kg', date: '2026-01-01' }],
    })
    await client.send('POST', '/api/persons/select', { customId: 'p-2', firstname: 'Ola', lastname: 'Li' })
    page = (await newPage()).page
  })
  afterAll(async () => {
    await page.context().close()
    await running[Symbol.asyncDispose]()
  })

  /** Waits for a search's results: the former ones stay until then and may move. */
  async function untilFound(list: 'exercises' | 'workouts', text: string): Promise<void> {
    const { body } = await client.ask('GET', `/api/${list}?${new URLSearchParams({ text })}`)
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
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Mobile').fill('+47 400 00 000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('+47 400 00 000').waitFor()
    await page.getByRole('tab', { name: /Profile data/ }).click()
    await page.getByTestId('profile-data').waitFor()
  })

  test('exercises appear while typing; the address can be shared and reloaded', async () => {
    await page.getByRole('link', { name: 'Exercises', exact: true }).click()
    await page.getByTestId('exercise-search').fill('squat')
    await page.waitForURL(/\?text=squat$/)
    await untilFound('exercises', 'squat')
    await page.getByRole('link', { name: /Goblet squat/ }).click()
    await page.getByTestId('exercise-detail').waitFor()
    await page.reload()
    await page.getByTestId('exercise-detail').waitFor()
    expect(await page.getByTestId('exercise-search').inputValue()).toBe('squat')
    await page.goBack()
    await page.waitForURL(/exercises\?text=squat$/)
  })

  test('the keyboard alone reaches everything', async () => {
    await page.goto(`${running.service.url}/exercises`)
    await page.getByTestId('exercise-results').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to content')
    await page.getByTestId('exercise-search').focus()
    await page.keyboard.type('bridge')
    await page.waitForURL(/text=bridge/)
    await untilFound('exercises', 'bridge')
    await page.getByRole('link', { name: /^Glute bridge/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByTestId('exercise-detail').waitFor()
  })

  test('an unknown address or record shows a message', async () => {
    await page.goto(`${running.service.url}/workouts/999999`)
    await page.getByText('There is no such workout in your organization.').waitFor()
    await page.goto(`${running.service.url}/nowhere`)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  })

  test('a page with an expired session goes to the log-in and back', async () => {
    await page.goto(`${running.service.url}/workouts?text=knee`)
    await page.getByTestId('workout-results').waitFor()
    await page.context().clearCookies()
    await page.getByTestId('workout-result').first().click()
    await page.getByTestId('login-form').waitFor()
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('workout-detail').waitFor()
  })
})
