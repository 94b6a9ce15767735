import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { hasBrowser, launchBrowser } from '../../internal/test-kit/src/browser.ts'
import { describePacked, folder, nodesOf, start } from './packed.ts'

const [oldest] = nodesOf('jwt-payload')
const example = new URL('../../docs/examples/journal/', import.meta.url)

describePacked(`the Express journal of the examples with helmet’s policy on Node ${oldest?.version}`, () => {
  const journal = join(folder, 'journal')
  const source = readFileSync(new URL('journal.ts', example), 'utf8')

  /** Its program puts the service's address into the files. */
  async function startJournal() {
    cpSync(example, journal, { recursive: true })
    const { code } = await transform(source, { loader: 'ts', target: 'node20' })
    writeFileSync(join(journal, 'journal.mjs'), code)
    const programs = await start(oldest?.path ?? '', ['../journal.mjs'], {}, journal)
    const { journal: address, service } = JSON.parse(programs.firstLine)
    return { address, service, [Symbol.asyncDispose]: () => programs[Symbol.asyncDispose]() }
  }

  test.skipIf(!hasBrowser()).each([
    ['the script of its page', 'button'],
    ['a page that submits its form by a nonce', 'a'],
  ])('opens the service by %s', async (_title, clicked) => {
    await using programs = await startJournal()
    await using browser = await launchBrowser()
    const page = await browser.newPage()
    await page.goto(programs.address)
    const [tab] = await Promise.all([page.waitForEvent('popup'), page.locator(clicked).click()])
    await tab.waitForURL(`${programs.service}/**`)
    expect(await tab.textContent('p')).toBe('signed-in Kari')
  })

  test.skipIf(!hasBrowser())('opens the service by the button of that page, without scripts', async () => {
    await using programs = await startJournal()
    await using browser = await launchBrowser()
    const page = await browser.newPage({ javaScriptEnabled: false })
    await page.goto(programs.address)
    // Not in a new tab: its scripts may run before they are turned off there.
    await page.locator('a').evaluate(link => link.removeAttribute('target'))
    await page.locator('a').click()
    await page.getByRole('button').click()
    await page.waitForURL(`${programs.service}/**`)
    expect(await page.textContent('p')).toBe('signed-in Kari')
  })

  test('signs for its own pages and its own patients alone', async () => {
    await using programs = await startJournal()
    const statusOf = async (site: string, body: string) => {
      const headers = { 'sec-fetch-site': site }
      return (await fetch(`${programs.address}/payload`, { method: 'POST', headers, body })).status
    }
    expect(await statusOf('same-origin', '4711')).toBe(200)
    expect(await statusOf('same-origin', '4712')).toBe(404)
    expect(await statusOf('cross-site', '4711')).toBe(403)
  })
})
