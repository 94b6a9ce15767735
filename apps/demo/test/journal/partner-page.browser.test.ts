import {
  accounts,
  hasBrowser,
  linkOn,
  logInOn,
  newPage,
  type RunningService,
  startService,
} from '@service-link/service/test-kit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Partner } from '../../src/journal/create-partner.ts'
import { patientName, patients } from '../../src/journal/patients.ts'
import { startPartner } from '../support/partner.ts'

describe.skipIf(!hasBrowser())('from the partner’s page to the contact in focus', () => {
  let running: RunningService
  let partner: Partner

  beforeAll(async () => {
    running = await startService()
    partner = await startPartner(running)
  })
  afterAll(async () => {
    await partner.close()
    await running[Symbol.asyncDispose]()
  })

  const patient = (index: number) => {
    const found = patients[index]
    if (!found) throw new Error('The journal has too few patients.')
    return found
  }

  /** Presses a patient's button; the service answers in a new tab. */
  async function open(journal: Page, index: number): Promise<Page> {
    const [tab] = await Promise.all([
      journal.context().waitForEvent('page'),
      journal.getByTestId(`open-${patient(index).id}`).click(),
    ])
    tab.setDefaultTimeout(50_000)
    return tab
  }

  async function expectInFocus(tab: Page, index: number): Promise<void> {
    const focus = tab.getByTestId('person-in-focus')
    await focus.waitFor()
    expect(await focus.textContent()).toBe(patientName(patient(index)))
    expect(await focus.getAttribute('data-custom-id')).toBe(patient(index).id)
    expect(await focus.getAttribute('data-user-id')).toMatch(/^\d+$/)
  }

  test('[1-first-visit] [4.1-form] [4.1-page] one log-in, then every contact comes straight into focus', async () => {
    expect(new URL(partner.url).hostname).not.toBe(new URL(running.service.url).hostname)
    const { page: journal, complaints } = await newPage()
    await journal.goto(partner.openUrl())

    const first = await open(journal, 0)
    await first.getByTestId('pending-visit').waitFor()
    expect(await first.evaluate('window.opener')).toBeNull()
    expect(await first.getByTestId('pending-visit').textContent()).toContain('Nordlys Journal')
    expect(new URL(first.url()).pathname).not.toContain('partner')
    await first.reload()
    await first.getByTestId('pending-visit').waitFor()
    await linkOn(first, accounts.ingrid)
    await expectInFocus(first, 0)
    expect(await first.getByTestId('signed-in-as').textContent()).toBe('Ingrid Solberg')

    for (const index of [3, 4, patients.length - 1]) {
      const tab = await open(journal, index)
      await expectInFocus(tab, index)
      expect(await tab.getByTestId('login-form').count()).toBe(0)
      const reloaded = await tab.reload()
      expect(reloaded?.request().method()).toBe('GET')
      await expectInFocus(tab, index)
      await tab.close()
    }
    await expectInFocus(first, 0)
    expect(complaints).toEqual([])
    await journal.context().close()
  })

  test('a wrong password shows an error, and the visit still waits', async () => {
    const { page: journal } = await newPage()
    await journal.goto(partner.openUrl())
    await journal.getByTestId('employee').selectOption('e-1002')
    const tab = await open(journal, 1)
    await logInOn(tab, { ...accounts.samuel, password: 'not-the-password' })
    await tab.getByTestId('login-error').waitFor()
    await linkOn(tab, accounts.samuel)
    await expectInFocus(tab, 1)
    await journal.context().close()
  })
})
