import { hasBrowser } from '@service-link/test-kit/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { expectAccessible, logInOn, newPage } from '../support/browser.ts'
import { type RunningService, startService } from '../support/service.ts'

/** More than one page of a list. */
const personCount = 62

const number = '12857948368'

/** As some journal programs identify a patient. */
const longId = '6f1c2b9e-4a57-4d0b-9d3e-8c1f5a7b2e60'

describe.skipIf(!hasBrowser())('lists and patients', () => {
  let running: RunningService
  let client: ApiClient
  let page: Page
  let aaseId: number
  let oyvindId: number

  beforeAll(async () => {
    running = await startService()
    client = await logInAs(running.service, accounts.ingrid)
    const put = (person: object) => client.ask('POST', '/api/persons/select', person)
    for (let index = 2; index < personCount; index++)
      await put({ customId: `p-${index}`, firstname: `First${index}`, lastname: 'Many' })
    const idOf = async (person: object) => Number(Object((await put(person)).body.person).userId)
    const oyvind = { firstname: 'Øyvind', lastname: 'Ødegård', dateOfBirth: '1984-02-29' }
    oyvindId = await idOf({ ...oyvind, customId: longId })
    aaseId = await idOf({ customId: number, ssn: number, firstname: 'Åse', lastname: 'Øvergård' })
    await client.ask('PATCH', `/api/persons/${aaseId}`, { mobile: '+47 400 00 000' })
    page = (await newPage()).page
    await page.goto(running.service.url)
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('person-results').waitFor()
  })
  afterAll(async () => {
    await page.context().close()
    await running[Symbol.asyncDispose]()
  })

  const giving = () => page.getByTestId('give-workout')
  const status = () => page.getByTestId('give-status')
  const notice = () => page.locator('[data-testid="notice"][data-subject="workout"]')
  const given = async () => {
    const { body } = await client.ask('POST', '/api/workouts/for-person', { userId: aaseId })
    return Array.isArray(body.workouts) ? body.workouts.length : undefined
  }
  const openWorkout = async () => {
    await page.goto(`${running.service.url}/workouts/1`)
    await giving().waitFor()
  }

  test('a list says what it shows and goes on by the keyboard; no patient is left out', async () => {
    const status = page.locator('.pane-search').getByRole('status')
    expect(await status.textContent()).toBe(`1–50 of ${personCount} patients`)
    await page.getByRole('button', { name: 'Next' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(`51–${personCount} of ${personCount} patients`, { exact: true }).waitFor()
    expect(await page.getByTestId('person-result').count()).toBe(personCount - 50)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Next')
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText(`1–50 of ${personCount} patients`, { exact: true }).waitFor()
  })

  test('a list stands where it was after a reload and on the way back; another begins at its top', async () => {
    const pane = page.locator('.pane-scroll')
    const top = () => pane.evaluate(element => element.scrollTop)
    await pane.evaluate(
      element =>
        new Promise(done => {
          element.addEventListener('scrollend', done, { once: true })
          element.scrollTo(0, 900)
        }),
    )
    await page.reload()
    await expect.poll(top, { timeout: 30_000 }).toBe(900)
    await page.getByRole('link', { name: 'Exercises' }).click()
    await page.getByTestId('exercise-results').waitFor()
    expect([await top(), await page.title()]).toEqual([0, expect.stringMatching(/^Exercises – /)])
    await page.goBack()
    await expect.poll(top).toBe(900)
  })

  test('an open patient of another page stands first; the title names no person, the bar no long identifier', async () => {
    await page.goto(`${running.service.url}/persons/${oyvindId}`)
    const open = page.getByTestId('open-person')
    expect(await open.textContent()).toContain('Ødegård, Øyvind')
    await page.getByRole('heading', { name: 'Open', exact: true }).waitFor()
    expect(await page.title()).toMatch(/^Patient – /)
    await page.getByTestId('put-in-focus').click()
    const id = page.locator(`.focus-fact[title="${longId}"]`)
    expect(await id.textContent()).not.toContain(longId)
  })

  test.each(['29 Feb 1984'])('%s finds Øyvind, born 29 Feb 1984', async text => {
    await page.getByTestId('person-search').fill(text)
    await page.getByText('1 patient', { exact: true }).waitFor()
    expect(await page.getByTestId('person-result').textContent()).toMatch(/Ødegård, Øyvind.*29 Feb 1984/)
  })

  test('an identity number is masked until asked for, and is no CustomId; fields name their source', async () => {
    await page.goto(`${running.service.url}/persons/${aaseId}`)
    const facts = page.getByTestId('person-facts')
    await facts.waitFor()
    await page.getByTestId('put-in-focus').click()
    await page.getByTestId('person-in-focus').waitFor()
    await page.getByTestId('first-person').first().waitFor()
    expect(await page.locator('.pane-list [aria-current]').count()).toBe(1)
    expect(await page.locator('body').textContent()).not.toContain(number)
    const sources = await page.getByTestId('person-origin').getByRole('listitem').allTextContents()
    expect(sources).toEqual([
      expect.stringMatching(/^1From the journal program, \d/),
      expect.stringMatching(/^2Typed here by Ingrid Solberg, \d/),
    ])
    const mobile = facts.locator('div', { hasText: 'Mobile' })
    expect(await mobile.textContent()).toBe('Mobile+47 400 00 000 2')
    await mobile.getByRole('img', { name: /^Typed here by Ingrid Solberg/ }).waitFor()
    await page.getByRole('button', { name: 'Show the national identity number' }).click()
    expect(await facts.textContent()).toContain(number)
  })

  test('a workout is given once; a second time is said before and done on purpose', async () => {
    await openWorkout()
    await giving().evaluate(button => {
      for (const detail of [1, 2]) button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }))
    })
    await notice().getByText('Given to Åse Øvergård').waitFor()
    expect(await given()).toBe(1)
    await openWorkout()
    await status().getByText('Already given on').waitFor()
    await expectAccessible(page)
    await giving().getByText('Give again').dblclick()
    await notice().getByText('Given to Åse Øvergård').waitFor()
    expect(await given()).toBe(2)
  })

  test('a gift whose answer is lost shows one message; trying again gives no second copy', async () => {
    await openWorkout()
    // The request arrives, its answer does not.
    await page.route('**/give', async route => {
      await route.fetch()
      await route.abort()
    })
    await giving().click()
    await status().getByText('only once').waitFor()
    expect(await notice().count()).toBe(0)
    await page.unroute('**/give')
    await giving().getByText('Try again').click()
    await notice().getByText('Given to Åse Øvergård').waitFor()
    expect(await given()).toBe(3)
  })

  test('offline, giving fails at once with a message', async () => {
    await openWorkout()
    await page.context().setOffline(true)
    await giving().click()
    await status().getByText('only once').waitFor()
    await page.context().setOffline(false)
    await giving().getByText('Try again').click()
    await notice().getByText('Given to Åse Øvergård').waitFor()
    expect(await given()).toBe(4)
  })

  test('unsaved changes survive a lost session and end with saving', async () => {
    await page.goto(`${running.service.url}/persons/${aaseId}`)
    await page.getByTestId('edit-person').click()
    await page.getByLabel('Diagnosis').fill('L15')
    expect(await page.getByRole('textbox', { name: 'National identity number' }).inputValue()).toBe(
      '128579 •••••',
    )
    await page.getByRole('button', { name: 'Show the national identity number' }).click()
    expect(await page.locator(':focus').inputValue()).toBe(number)
    await page.getByLabel('National identity number').fill(`${number.slice(0, 10)}9`)
    await page.getByText('As a Norwegian number this has a wrong digit.').waitFor()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByTestId('login-form').waitFor()
    await logInOn(page, accounts.ingrid)
    await page.locator('[data-testid="notice"][data-subject="back"]').waitFor()
    expect(await page.getByLabel('Diagnosis').inputValue()).toBe('L15')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show the national identity number' }).click()
    await page.getByLabel('National identity number').fill(number)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'About' }).click()
    await page.getByTestId('person-facts').getByText('L15').waitFor()
    expect(await page.evaluate(`sessionStorage.getItem('service-drafts')`)).toBeNull()
  })

  test('a sign-out asks before it forgets unsaved changes', async () => {
    await page.getByTestId('edit-person').click()
    await page.getByLabel('Diagnosis').fill('Draft-of-Ingrid')
    expect(await page.evaluate(`sessionStorage.getItem('service-drafts')`)).toContain('Draft-of-Ingrid')
    await page.getByTestId('sign-out').click()
    const asked = page.locator('[data-testid="notice"][data-subject="account"]')
    await asked.getByText('Signing out discards your unsaved changes').waitFor()
    await asked.getByTestId('notice-action').click()
    await page.getByTestId('login-form').waitFor()
    expect(await page.evaluate(`JSON.stringify(sessionStorage)`)).not.toContain('Draft-of-Ingrid')
    await logInOn(page, accounts.samuel)
    await page.getByTestId('person-facts').waitFor()
  })
})
