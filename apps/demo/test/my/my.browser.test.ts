import {
  accounts,
  hasBrowser,
  logInAs,
  newPage,
  post,
  query,
  readBoot,
  sign,
  visit,
} from '@service-link/service/test-kit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aase, giveTo, type RunningMy, startMy, torbjorn } from '../support/my.ts'

describe.skipIf(!hasBrowser())('consumer app', () => {
  let my: RunningMy
  let page: Page
  let complaints: string[]
  let givenName: string
  const asked: string[] = []

  beforeAll(async () => {
    my = await startMy()
    givenName = await giveByPartnerLink()
    ;({ page, complaints } = await newPage())
    await page.setViewportSize({ width: 390, height: 844 })
    page.on('request', request => asked.push(request.url()))
  })
  afterAll(async () => {
    await page.context().close()
    await my[Symbol.asyncDispose]()
  })

  /** A partner posts a contact with its ssn; an employee logs in and gives it a workout. */
  async function giveByPartnerLink(): Promise<string> {
    const contact = { ...visit.contact, ssn: aase.ssn }
    const { handle } = await readBoot(await post(my.running, await sign(my.running, { ...visit, contact })))
    const ingrid = await logInAs(my.running.service, accounts.ingrid)
    const { body } = await ingrid.ask('POST', '/api/partner-visits', { handle, confirmed: true })
    return (await giveTo(ingrid, Number(Object(body.contact).contactId))).name
  }

  async function logIn(name: string, on = page): Promise<void> {
    await on.goto(`${my.running.service.url}/my`)
    await on.getByTestId('my-log-in').click()
    await confirm(name, on)
  }

  async function confirm(name: string, on: Page): Promise<void> {
    await on.getByRole('radio', { name }).check()
    await on.getByRole('button', { name: 'Sign in' }).click()
  }

  async function signOut(): Promise<void> {
    await page.getByTestId('my-sign-out').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByTestId('my-log-in').waitFor()
  }

  test('[5.1-consumer] a contact with a partner’s ssn logs in by the e-ID and sees exactly the given workout', async () => {
    await page.goto(`${my.running.service.url}/my`)
    const [above = 0, below = 0] = await page.getByTestId('my-log-in').evaluate(link => {
      const range = document.createRange()
      range.selectNodeContents(link)
      const [text, box] = [range.getBoundingClientRect(), link.getBoundingClientRect()]
      return [text.top - box.top, box.bottom - text.bottom]
    })
    expect(Math.abs(above - below)).toBeLessThan(3)
    await page.getByTestId('my-log-in').click()
    await page.getByText('Not a real electronic ID').waitFor()
    expect(new URL(page.url()).origin).toBe(my.eId.url)
    await page.getByRole('radio', { name: aase.name }).check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByTestId('my-workout').waitFor()
    expect(page.url()).toBe(`${my.running.service.url}/my`)
    expect(await page.getByTestId('my-workout').allTextContents()).toEqual([
      expect.stringContaining(givenName),
    ])
    await page.getByTestId('my-workout').getByRole('link').click()
    await page.getByTestId('my-workout-detail').waitFor()
    expect(await page.getByTestId('my-exercise').count()).toBeGreaterThan(1)
    await page.reload()
    await page.getByTestId('my-workout-detail').waitFor()
  })

  test('nothing of the employees’ app loads, and no address holds the identity number', async () => {
    const answer = await page.request.get(my.running.service.url)
    const [, script = 'none'] = /src="(\/assets\/index-[^"]+)"/.exec(await answer.text()) ?? []
    expect(script).not.toBe('none')
    expect(asked.filter(url => url.endsWith(script))).toEqual([])
    const paths = asked.map(url => new URL(url)).filter(({ origin }) => origin === my.running.service.url)
    expect(
      paths.filter(({ pathname }) => pathname.startsWith('/api/') && !pathname.startsWith('/api/my/')),
    ).toEqual([])
    expect(asked.filter(url => url.includes(aase.ssn))).toEqual([])
  })

  test('after the log-out neither "back" nor the address shows anything of the person', async () => {
    const detail = page.url()
    await signOut()
    expect(page.url()).toBe(`${my.running.service.url}/my`)
    for (let step = 0; step < 3; step += 1) {
      await page.goBack()
      await page
        .getByTestId('my-log-in')
        .or(page.getByRole('heading', { name: /Sign in|Sign out|cannot go on/ }))
        .first()
        .waitFor()
      const text = await page.locator('body').textContent()
      expect(text).not.toContain(givenName)
    }
    await page.goto(detail)
    await page.getByTestId('my-log-in').waitFor()
    expect(await page.getByTestId('my-workout-detail').count()).toBe(0)
  })

  test('a canceled log-in shows the reason and can start again', async () => {
    await page.goto(`${my.running.service.url}/my`)
    await page.getByTestId('my-log-in').click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('ERR_EID_CANCELLED').waitFor()
    await page.getByRole('link', { name: 'Try again' }).click()
    await logIn(aase.name)
    await page.getByTestId('my-workout').waitFor()
    expect(page.url()).not.toContain('code=')
  })

  test('the keyboard alone reaches everything', async () => {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to content')
    await page.getByTestId('my-workout').getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.getByTestId('my-workout-detail').locator('h1:focus').waitFor()
    await page.getByTestId('my-sign-out').focus()
    await page.keyboard.press('Enter')
    // Both pages have a button with this name.
    await page.waitForURL(({ origin }) => origin === my.eId.url)
    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await page.getByTestId('my-log-in').press('Enter')
    await page.getByRole('radio', { name: aase.name }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Sign in' }).press('Enter')
    await page.getByTestId('my-workout').waitFor()
  })

  test('a workout is said to be done today, in each tab, and taken back; without a network it is said why not', async () => {
    await page.getByTestId('my-workout').getByRole('link').click()
    const box = page.getByRole('checkbox', { name: 'Done today' })
    await box.focus()
    await page.keyboard.press('Space')
    await page.getByText(/^1 day in the last two weeks/).waitFor()
    await page.getByRole('status').getByText('Done today is saved').waitFor()
    expect(await page.evaluate('document.activeElement?.type')).toBe('checkbox')
    const second = await page.context().newPage()
    await second.goto(page.url())
    await second.getByRole('checkbox', { name: 'Done today', checked: true }).waitFor()
    await second.close()
    await page.route('**/done', route => route.abort())
    await page.keyboard.press('Space')
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    expect(await box.isChecked()).toBe(true)
    await page.unroute('**/done')
    await page.keyboard.press('Space')
    await page.getByRole('checkbox', { name: 'Done today', checked: false }).waitFor()
    await page.getByText('Your clinic sees on which days', { exact: false }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a page that is left open asks again on the next day', async () => {
    const { page: late } = await newPage()
    await late.clock.install({ time: new Date().setHours(23, 50) })
    await logIn(aase.name, late)
    await late.getByTestId('my-workout').getByRole('link').click()
    await late.getByTestId('done-today').click()
    await late.getByText(/^1 day in the last two weeks/).waitFor()
    await late.clock.fastForward('15:00')
    await late.getByRole('checkbox', { name: 'Done today', checked: false }).waitFor()
    await late.context().close()
  })

  test('an unattended screen hides the workouts when the session ends', async () => {
    await page.clock.install()
    await page.goto(`${my.running.service.url}/my`)
    await page.getByTestId('my-workout').waitFor()
    await query(my.running, `update consumer_sessions set "expiresAt" = '2026-01-01T00:00:00.000Z'`)
    await page.clock.fastForward('31:00')
    await page.getByTestId('my-log-in').waitFor()
    expect(await page.getByTestId('my-ended').textContent()).toContain('30 minutes')
    expect(await page.locator('body').textContent()).not.toContain(givenName)
  })

  test('an unattended screen hides them at the same time while the service is unreachable', async () => {
    const { page: lonely } = await newPage()
    await lonely.clock.install()
    await logIn(aase.name, lonely)
    await lonely.getByTestId('my-workout').waitFor()
    await lonely.route('**/api/my/**', route => route.abort())
    await lonely.clock.fastForward('31:00')
    await lonely.getByTestId('my-log-in').waitFor()
    expect(await lonely.locator('body').textContent()).not.toContain(givenName)
    await lonely.context().close()
  })

  test('after another log-in in another window, no page shows one person’s workouts under another’s name', async () => {
    const ingrid = await logInAs(my.running.service, accounts.ingrid)
    const contact = { customId: 'c-of-torbjorn', lastname: 'Sæther', ssn: torbjorn.ssn }
    const { person } = (await ingrid.ask('POST', '/api/persons/select', contact)).body
    await giveTo(ingrid, Object(person).userId)
    const { page: first } = await newPage()
    await logIn(aase.name, first)
    await first.getByTestId('my-workout').getByRole('link').click()
    await first.getByTestId('my-workout-detail').waitFor()
    // This page has not loaded the list.
    await first.reload()
    await first.getByTestId('my-workout-detail').waitFor()
    expect(await first.getByTestId('my-name').textContent()).toBe(aase.name)
    const second = await first.context().newPage()
    await second.goto(`${my.running.service.url}/my/log-in`)
    await confirm(torbjorn.name, second)
    await second.getByTestId('my-workout').waitFor()
    await first.getByRole('link', { name: 'Back to my workouts' }).click()
    await first.getByTestId('my-workout').waitFor()
    expect(await first.getByTestId('my-name').textContent()).toBe(torbjorn.name)
    await first.context().close()
  })

  test('no page, here or at the e-ID, broke its Content-Security-Policy or logged an error', () => {
    expect(complaints).toEqual([])
  })
})
