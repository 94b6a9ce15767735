import { connectWrapper } from '@service-link/pipe-client'
import { expectAccessible, hasBrowser, newPage } from '@service-link/service/test-kit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConsole } from '../support/console.ts'

const limit = { timeout: 30_000 }

async function openConsole() {
  await using resources = new AsyncDisposableStack()
  const { wrapper, url } = resources.use(await startConsole())
  const { page, complaints } = await newPage()
  resources.defer(() => page.context().close())
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(url)
  await page.getByText(`process ${wrapper.pid}`).waitFor()
  const owned = resources.move()
  return { wrapper, page, complaints, close: () => owned.disposeAsync() }
}

const row = (page: Page, text: string, kind = 'frame') =>
  page.locator(`.console-row[data-kind=${kind}]`, { hasText: text })

describe.runIf(hasBrowser())('the console', () => {
  let console: Awaited<ReturnType<typeof openConsole>>
  beforeAll(async () => {
    console = await openConsole()
  }, 100_000)
  afterAll(() => console?.close())

  test('shows a stranger’s command without a value of it', async () => {
    const { page, wrapper, complaints } = console
    await using stranger = await connectWrapper({ userFolder: wrapper.folders.userFolder })
    await stranger.selectPerson({ customId: '4711', firstname: 'Åse', lastname: 'Li' })
    await row(page, 'selectperson').getByText('customid text 4, firstname text 3, lastname text 2').waitFor()
    await row(page, 'selectPerson', 'bridge').getByText('ok').waitFor()
    expect(await page.content()).not.toMatch(/4711|Åse/)
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  test('filters and clears', async () => {
    const { page, wrapper } = console
    wrapper.signOut()
    wrapper.signIn()
    await row(page, 'signedOut', 'bridge').waitFor()
    await page.getByText('bridge', { exact: true }).first().click()
    await expect.poll(() => row(page, '', 'bridge').count(), limit).toBe(0)
    await page.getByText('bridge', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByTestId('exchanges-empty').waitFor()
  })

  test('sends a form by the pipe in both modes, by arguments and as an XML file, and shows both bodies', async () => {
    const { page, wrapper } = console
    const sent = page.getByTestId('sent')
    await page.getByRole('button', { name: 'Clear' }).click()
    for (const [way, request, reply, kind] of [
      ['Pipe, classic', '{"Method":"selectperson",', '"status":"created"', 'frame'],
      ['Pipe, session', '{"Id":1,"Method":"selectperson"', '{"Id":1,"Result":{', 'frame'],
      ['Arguments', 'firstname=Kari', 'exit code 0', 'launch'],
      ['XML file', '<serviceinput', 'The wrapper deleted the file.', 'file'],
    ] as const) {
      await page.getByText(way, { exact: true }).click()
      await page.getByRole('button', { name: 'Send' }).click()
      await sent.getByText(reply).waitFor()
      expect(await sent.textContent()).toMatch(/Done in \d+ ms/)
      expect(await page.getByTestId('request').textContent()).toContain(request)
      await row(page, '', kind).first().waitFor()
    }
    const selected = wrapper.calls.filter(({ handler }) => handler === 'selectPerson').slice(-4)
    for (const { args } of selected) expect(args).toMatchObject({ customId: '1001', firstname: 'Kari' })
    await page.getByLabel('Command', { exact: true }).selectOption('openworkout')
    await page.getByRole('textbox', { name: 'id', exact: true }).fill('99')
    await page.getByRole('button', { name: 'Send' }).click()
    await sent.getByText('ERR_NOT_FOUND').waitFor()
    await row(page, 'ERR_NOT_FOUND').first().waitFor()
    expect(await page.getByRole('radio', { name: 'XML file' }).isDisabled()).toBe(true)
  })
})
