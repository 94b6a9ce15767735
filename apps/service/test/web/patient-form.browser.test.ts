import { hasBrowser } from '@service-link/test-kit/browser'
import { startTexts } from '@service-link/ui/page-language'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { pageText } from '../../src/web/pages/page-texts.ts'
import { t } from '../../src/web/texts/texts.ts'
import { accounts } from '../support/accounts.ts'
import { expectAccessible, hostPage, logInOn, newPage } from '../support/browser.ts'
import { type RunningService, startService } from '../support/service.ts'

/** Collects what the live regions of a page tell, without the buttons in them. */
const listening = `(() => {
  globalThis.heard = []
  const textOf = node => {
    const copy = node.cloneNode(true)
    for (const button of copy.querySelectorAll?.('button') ?? []) button.remove()
    return copy.textContent.trim()
  }
  new MutationObserver(changes => {
    for (const { target, type, addedNodes } of changes) {
      const near = target instanceof Element ? target : target.parentElement
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        const region = near?.closest('[role="status"], [role="alert"], [aria-live]') ??
          node.querySelector?.('[role="alert"]') ?? (node.role === 'alert' ? node : undefined)
        if (region && region.ariaLive !== 'off' && textOf(node)) globalThis.heard.push(textOf(node))
      }
    }
  }).observe(document, { childList: true, characterData: true, subtree: true })
})()`

describe.skipIf(!hasBrowser())('a patient’s form and workouts', () => {
  let running: RunningService
  let client: ApiClient
  let page: Page
  let host: Awaited<ReturnType<typeof hostPage>>

  const aase = { customId: 'a-1', firstname: 'Åse Marie', lastname: 'Øvergård', mobile: '1' }
  const ola = { customId: 'o-1', firstname: 'Ola', lastname: 'Li' }
  let aaseId: number
  let olaId: number

  beforeAll(async () => {
    await startTexts('en')
    running = await startService()
    client = await logInAs(running.service, accounts.ingrid)
    const put = async (person: object) =>
      Number(Object((await client.ask('POST', '/api/persons/select', person)).body.person).userId)
    aaseId = await put(aase)
    olaId = await put(ola)
    page = (await newPage()).page
    host = await hostPage(page)
    await page.addInitScript(listening)
    await page.goto(`${running.service.url}/persons/${aaseId}`)
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('person-detail').waitFor()
  })
  afterAll(async () => {
    await page.context().close()
    await running[Symbol.asyncDispose]()
  })

  /** Presses Tab until the keyboard is on this. */
  const tabTo = async (selector: string, key = 'Tab') => {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press(key)
      if ((await page.locator(`${selector}:focus`).count()) > 0) return
    }
    throw new Error(`Tab does not reach ${selector}.`)
  }
  const hearings = async () => z.array(z.string()).parse(await page.evaluate('globalThis.heard'))
  /** Acts, and expects where the keyboard is afterwards and what is told. */
  const expectAfter = async (act: () => Promise<unknown>, focused: string, ...told: readonly string[]) => {
    await page.evaluate('globalThis.heard = []')
    await act()
    await page.locator(`${focused}:focus`).waitFor()
    await expect.poll(hearings).toEqual(told)
  }
  const press = (key: string) => () => page.keyboard.press(key)
  const form = '[data-testid="person-form"]'
  const editButton = '[data-testid="edit-person"]'
  const action = '[data-testid="notice-action"]'
  const notice = (subject: string) => page.locator(`[data-testid="notice"][data-subject="${subject}"]`)
  const aaseName = 'Åse Marie Øvergård'
  const saved = t('drafts.saved', { name: aaseName })

  test('by keyboard alone: each action puts the keyboard in its place and is told once', async () => {
    await tabTo('[data-testid="put-in-focus"]')
    await expectAfter(press('Enter'), '.pane-detail h2', t('focus.changed', { name: aaseName }))
    await tabTo(editButton)
    await expectAfter(press('Enter'), `${form} [name="firstname"]`)
    await expectAfter(press('Escape'), editButton)
    await page.keyboard.press('Enter')
    await page.locator(`${form} [name="firstname"]:focus`).waitFor()
    await expectAfter(press('Enter'), editButton, saved)
    await page.keyboard.press('Enter')
    await tabTo('[name="mobile"]')
    await page.keyboard.type('23')
    await expectAfter(press('Escape'), editButton, t('drafts.discarded', { name: aaseName }))
    // "Edit" is not the way back, and does not take it away.
    await expectAfter(press('Enter'), `${form} [name="firstname"]`)
    await tabTo(`[data-subject="edit"] ${action}`, 'Shift+Tab')
    await expectAfter(press('Enter'), '[name="mobile"]', t('persons.draftBack'))
    expect(await page.locator('[name="mobile"]').inputValue()).toBe('23')
    await expectAfter(press('Enter'), editButton, saved)

    await page.goto(`${running.service.url}/workouts/1`)
    await page.getByTestId('give-workout').waitFor()
    await expectAfter(press('Tab'), '.skip-link')
    await tabTo('[data-testid="give-workout"]')
    const given = t('workouts.given', { name: aaseName })
    const takenBack = t('workouts.takenBack', { name: aaseName })
    await expectAfter(press('Enter'), '.pane-detail h2', given)
    await tabTo('[data-testid="take-back"]')
    await expectAfter(press('Enter'), '[data-workout-id="1"] h2', takenBack)
    await tabTo('[data-testid="give-workout"]')
    await expectAfter(press('Enter'), '.pane-detail h2', given)
    await tabTo(`[data-subject="workout"] ${action}`, 'Shift+Tab')
    await expectAfter(press('Enter'), '[data-workout-id="1"] h2', takenBack)
    await tabTo('.focus-bar .bar-control, .focus-bar button', 'Shift+Tab')
    await expectAfter(press('Enter'), '#content', t('focus.cleared', { name: aaseName }))
    await tabTo(`[data-subject="focus-cleared"] ${action}`)
    await expectAfter(press('Enter'), '#content', t('focus.changed', { name: aaseName }))
  })

  test('a command tells one sentence, and puts the keyboard on the heading of its patient', async () => {
    await page.goto(`${running.service.url}/persons/${olaId}`)
    await page.getByTestId('put-in-focus').focus()
    const told = t('focus.changed', { name: 'New One' }) + t('focus.before', { name: aaseName })
    const select = () => host.call('selectPerson', { customId: 'n-1', firstname: 'New', lastname: 'One' })
    await expectAfter(select, '.pane-detail h2', told)
    await page.getByText(t('persons.count', { count: 3 }), { exact: true }).waitFor()
    expect(await hearings()).toEqual([told])
    await host.call('selectPerson', { userId: aaseId, ...aase })
  })

  const openForm = async (id: number) => {
    await page.evaluate(`sessionStorage.removeItem('service-drafts')`)
    await page.goto(`${running.service.url}/persons/${id}`)
    await page.getByTestId('edit-person').click()
    await page.locator(form).waitFor()
  }

  test('what is typed is kept while another patient comes, and the way back is shown', async () => {
    await openForm(aaseId)
    await page.locator('[name="mobile"]').fill('typed')
    await expectAfter(
      () => host.call('selectPerson', { userId: olaId, ...ola }),
      '.pane-detail h2',
      t('focus.changed', { name: 'Ola Li' }),
      t('drafts.kept', { name: aaseName }),
    )
    await page
      .locator(`[data-testid="person-result"][data-id="${aaseId}"]`)
      .getByText(t('drafts.unsaved'))
      .waitFor()
    expect(await page.locator('.notice-pile > :last-child').getAttribute('data-subject')).toBe('kept')
    await expectAccessible(page)
    await page.reload()
    await page.getByTestId('person-result').first().waitFor()
    await notice('kept').waitFor()
    await page.locator(editButton).focus()
    await expectAfter(
      () => notice('kept').getByTestId('notice-action').click(),
      '[name="mobile"]',
      t('persons.draftBack'),
    )
    expect(await page.locator('[name="mobile"]').inputValue()).toBe('typed')
    await page.goBack()
    await notice('kept').waitFor()
    await page.locator(editButton).click()
    await page.locator('[name="mobile"]').fill('other')
    await page.getByRole('link', { name: t('exercises.title') }).click()
    await notice('kept')
      .getByText(t('drafts.keptMore', { name: 'Ola Li', more: 1 }))
      .waitFor()
    await page.goBack()
    await page.getByRole('button', { name: t('app.cancel') }).click()
    await page.locator(form).waitFor({ state: 'detached' })
    await page.goto(`${running.service.url}/persons/${aaseId}`)
    await page.getByRole('button', { name: t('app.cancel') }).click()
    await page.locator(form).waitFor({ state: 'detached' })
  })

  /** Sends a request, and holds it back. */
  const sendAndHold = async (send: () => Promise<unknown>, path: string) => {
    const held = Promise.withResolvers<Route>()
    // A slow page may still be reading at the same address.
    let isHeld = false
    await page.route(path, route => {
      if (isHeld || route.request().method() === 'GET') return route.fallback()
      isHeld = true
      held.resolve(route)
    })
    await send()
    return held.promise
  }
  const ofAase = () => `**/api/persons/${aaseId}`

  test('a late answer is told, and leaves another patient alone', async () => {
    const comeOla = async () => {
      await host.call('selectPerson', { userId: olaId, ...ola })
      await page.locator('.pane-detail h2:focus').waitFor()
    }
    await host.call('selectPerson', { userId: aaseId, ...aase })
    await page.goto(`${running.service.url}/workouts/4`)
    for (const [end, told] of [
      ['continue', 'given'],
      ['abort', 'notGiven'],
    ] as const) {
      const gift = await sendAndHold(() => page.getByTestId('give-workout').click(), '**/give')
      await comeOla()
      await gift[end]()
      await notice('workout')
        .getByText(t(`workouts.${told}`, { name: aaseName }))
        .waitFor()
      await page.locator('.pane-detail h2:focus').waitFor()
      expect(new URL(page.url()).pathname).toBe(`/persons/${olaId}`)
      await host.call('selectPerson', { userId: aaseId, ...aase })
      await page.goto(`${running.service.url}/workouts/3`)
    }
    await openForm(aaseId)
    await page.locator('[name="mobile"]').fill('late')
    const save = await sendAndHold(press('Enter'), ofAase())
    await comeOla()
    await notice('kept').getByTestId('notice-action').click()
    await page.locator('[name="mobile"][readonly]').waitFor()
    await expectAfter(() => save.continue(), editButton, saved)
    await page.getByTestId('person-facts').getByText('late').waitFor({ state: 'attached' })
  })

  test('a patient without any name is not sent; the form says it at the field', async () => {
    await openForm(olaId)
    const sent: string[] = []
    page.on('request', request => void (request.method() === 'PATCH' && sent.push(request.url())))
    await page.locator('[name="firstname"]').fill('\u200b ')
    await page.locator('[name="lastname"]').fill('')
    await expectAfter(press('Enter'), '[name="firstname"][aria-invalid="true"]')
    await page.locator(form).getByText(t('errors.ERR_NAME_MISSING')).waitFor()
    await expectAccessible(page)
    expect(sent).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a field that somebody else saved meanwhile is asked about; the others are saved', async () => {
    await openForm(aaseId)
    const path = `/api/persons/${aaseId}`
    const [ssn, otherSsn] = ['12857948368', '12857948287']
    await client.ask('PATCH', path, { mobile: 'theirs', email: 'theirs@x.example', diagnosis: 'same', ssn })
    for (const [field, value] of Object.entries({
      mobile: 'mine',
      email: 'mine@x.example',
      diagnosis: 'same',
      ssn: otherSsn,
      // Last, so that the keyboard moves to the first that differs.
      address: 'mine',
    }))
      await page.locator(`[name="${field}"]`).fill(value)
    const differences = page.getByTestId('difference')
    await page.keyboard.press('Enter')
    await page.locator('[name="ssn"]:focus').waitFor()
    expect(await differences.allTextContents()).toEqual(
      [
        ['128579 •••••', `128579 ••••• (${t('chooser.hiddenDiffers')})`],
        ['theirs@x.example', 'mine@x.example'],
        ['theirs', 'mine'],
      ].map(([theirs, mine]) => expect.stringContaining(t('drafts.difference', { theirs, mine }))),
    )
    await expectAccessible(page)
    const buttonOf = (key: 'keepMine' | 'takeTheirs') =>
      page.getByRole('button', { name: t(`drafts.${key}`) })
    await expectAfter(() => buttonOf('takeTheirs').first().press('Enter'), '[name="ssn"]')
    expect(await page.locator('[name="ssn"]').inputValue()).toBe('128579 •••••')
    await expectAfter(() => buttonOf('takeTheirs').first().press('Enter'), '[name="email"]')
    await expectAfter(() => buttonOf('keepMine').press('Enter'), '[name="mobile"]')
    expect(await differences.count()).toBe(0)
    await expectAfter(press('Enter'), editButton, saved)
    expect((await client.ask('GET', path)).body.person).toMatchObject({
      mobile: 'mine',
      email: 'theirs@x.example',
      diagnosis: 'same',
      address: 'mine',
      ssn,
    })
  })

  test('a workout says whose it is, and what to do without a patient', async () => {
    const gift = { personId: olaId, key: crypto.randomUUID() }
    const { body } = await client.ask('POST', '/api/workouts/2/give', gift)
    await host.call('selectPerson', { userId: aaseId, ...aase })
    await page.goto(`${running.service.url}/workouts/${Object(body.workout).id}`)
    await page
      .getByTestId('give-copy')
      .getByText(t('workouts.givesCopy', { owner: 'Ola Li', name: aaseName }))
      .waitFor()
    await page
      .getByRole('button', { name: pageText('giving.give', { name: aaseName }), exact: true })
      .waitFor()
    await page.getByRole('button', { name: t('workouts.takeBack', { name: 'Ola Li' }) }).waitFor()
    await page.getByRole('button', { name: t('focus.clearOne', { name: aaseName }) }).click()
    await page.getByRole('link', { name: t('workouts.choosePatient') }).click()
    await page.getByTestId('person-results').waitFor()
  })

  test('nothing of one account is told to the next', async () => {
    await openForm(aaseId)
    await page.locator('[name="mobile"]').fill('late')
    const save = await sendAndHold(press('Enter'), ofAase())
    await page.getByRole('link', { name: t('exercises.title') }).click()
    await notice('kept').waitFor()
    await page.context().clearCookies()
    await page.evaluate(`dispatchEvent(new StorageEvent('storage'))`)
    await page.getByTestId('login-form').waitFor()
    expect(await page.locator('body').textContent()).not.toContain('Øvergård')
    await logInOn(page, accounts.samuel)
    await page.getByTestId('signed-in-as').waitFor()
    // Whoever meets another account asks who is signed in.
    const asked = page.waitForResponse('**/api/session*')
    await save.fulfill({ json: { person: { userId: aaseId, ...aase, origins: {} } } })
    await asked
    expect(await page.locator('body').textContent()).not.toContain('Øvergård')
  })
})
