import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** A command with all that it caused. */
const group = (page: Page, text: string) => page.locator('.console-group', { has: row(page, text) })

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
    await group(page, 'selectperson').locator('li li', { hasText: 'personSelected' }).waitFor()
    expect(await page.content()).not.toMatch(/4711|Åse/)
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  test('folds what is asked again and again, finds commands, and clears', async () => {
    const { page, wrapper } = console
    await using stranger = await connectWrapper({ userFolder: wrapper.folders.userFolder })
    for (let count = 0; count < 3; count++) await stranger.status()
    const fold = page.getByRole('button', { name: '3 times' })
    await fold.click()
    await expect.poll(() => row(page, 'status').count(), limit).toBe(3)
    await fold.press('Enter')
    await expect.poll(() => row(page, 'status').count(), limit).toBe(1)
    wrapper.signOut()
    await row(page, 'signedOut', 'bridge').waitFor()
    wrapper.signIn()
    const search = page.getByRole('searchbox')
    await search.fill('bridge signedout')
    await expect.poll(() => row(page, '').count(), limit).toBe(0)
    await row(page, 'signedOut', 'bridge').waitFor()
    await search.fill('no such command')
    await page.getByText('No command has these words.').waitFor()
    const { pid } = wrapper
    const line = { event: 'exchange', time: new Date(), pid, kind: 'frame', direction: 'in', bytes: 1 }
    const lines = Array.from({ length: 400 }, (_, index) =>
      JSON.stringify({ ...line, exchange: 1_000_000 + index, outcome: 'ok', durationMs: 1 }),
    )
    await appendFile(join(wrapper.folders.userFolder, 'logs', 'wrapper.log'), `${lines.join('\n')}\n`)
    await page.getByText('Only the last 400 messages are shown and searched.').waitFor()
    await search.fill('')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Nothing has passed the wrapper so far.').waitFor()
  })

  test('sends a form by the pipe in both modes, by arguments and as an XML file, and shows both bodies', async () => {
    const { page, wrapper } = console
    const sent = page.getByTestId('sent')
    await page.getByRole('button', { name: 'Clear' }).click()
    for (const [way, request, reply, kind] of [
      ['Pipe, classic', '{"Method":"selectperson",', '"status": "created"', 'frame'],
      ['Pipe, session', '{"Id":1,"Method":"selectperson"', '"Result": {', 'frame'],
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
    const more = page.getByTestId('more-fields')
    await more.locator('summary').click()
    expect(await more.getByRole('textbox').last().getAttribute('id')).toBe(
      await more.locator('label', { hasText: 'obsolete' }).getAttribute('for'),
    )
    await page.getByLabel('Command', { exact: true }).selectOption('openworkout')
    await page.getByRole('textbox', { name: 'id', exact: true }).fill('99')
    await page.getByRole('button', { name: 'Send' }).click()
    await sent.getByText('ERR_NOT_FOUND').waitFor()
    await row(page, 'ERR_NOT_FOUND').first().waitFor()
    expect(await page.getByRole('radio', { name: 'XML file' }).isDisabled()).toBe(true)
    // No field of another command travels, as its fold would hide it.
    await page.getByLabel('Command', { exact: true }).selectOption('selectperson')
    await page.getByText('Pipe, session', { exact: true }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await sent.getByText('"Result": {').waitFor()
    expect(await page.getByTestId('request').textContent()).not.toContain('99')
  })
})
