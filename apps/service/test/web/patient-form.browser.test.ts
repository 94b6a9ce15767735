import { hasBrowser } from '@service-link/test-kit/browser'
import { startTexts } from '@service-link/ui/page-language'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { t } from '../../src/web/texts/texts.ts'
import { accounts } from '../support/accounts.ts'
import { expectAccessible, hostPage, logInOn, newPage } from '../support/browser.ts'
import { type ApiClient, logInAs, type RunningService, startService } from '../support/service.ts'

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
        if (region && textOf(node)) globalThis.heard.push(textOf(node))
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
  /** Acts, and expects where the keyboard is afterwards and the one sentence that is told. */
  const expectAfter = async (act: () => Promise<unknown>, focused: string, told?: string) => {
    await page.evaluate('globalThis.heard = []')
    await act()
    await page.locator(`${focused}:focus`).waitFor()
    const expected = told === undefined ? [] : [told]
    await expect.poll(hearings).toEqual(expected)
  }
  const press = (key: string) => () => page.keyboard.press(key)
  const form = '[data-testid="person-form"]'
  const editButton = '[data-testid="edit-person"]'
  const action = '[data-testid="notice-action"]'
  const notice = (subject: string) => page.locator(`[data-testid="notice"][data-subject="${subject}"]`)
  const aaseName = 'Åse Marie Øvergård'

  test('by keyboard alone: each action puts the keyboard in its place and is told once', async () => {
    await tabTo('[data-testid="put-in-focus"]')
    await expectAfter(press('Enter'), '[data-testid="put-in-focus"]', t('focus.changed', { name: aaseName }))
    await tabTo(editButton, 'Shift+Tab')
    await expectAfter(press('Enter'), `${form} [name="firstname"]`)
    await expectAfter(press('Escape'), editButton)
    await page.keyboard.press('Enter')
    await tabTo('[name="mobile"]')
    await page.keyboard.type('23')
    await expectAfter(press('Escape'), editButton, t('drafts.discarded', { name: aaseName }))
    await tabTo(`[data-subject="edit"] ${action}`, 'Shift+Tab')
    await expectAfter(press('Enter'), '[name="mobile"]', t('persons.draftBack'))
    expect(await page.locator('[name="mobile"]').inputValue()).toBe('23')
    await expectAfter(press('Enter'), editButton, t('drafts.saved'))

    await page.goto(`${running.service.url}/workouts/1`)
    await page.getByTestId('give-workout').waitFor()
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
})
