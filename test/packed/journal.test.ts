import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { hasBrowser, launchBrowser } from '../../internal/test-kit/src/browser.ts'
import { describePacked, folder, nodesOf, start } from './packed.ts'

const [oldest] = nodesOf('jwt-payload')
const guide = readFileSync(new URL('../../docs/guides/partner-link.md', import.meta.url), 'utf8')

/** A block of the guide, found by its language and its beginning. */
function blockOf(beginning: string): string {
  const start = guide.indexOf(`\`\`\`${beginning}`)
  return guide.slice(guide.indexOf('\n', start) + 1, guide.indexOf('\n```\n', start) + 1)
}

describePacked(`the guide’s Express journal with helmet’s policy on Node ${oldest?.version}`, () => {
  const journal = join(folder, 'journal')
  let files: Readonly<Record<string, string>>
  beforeAll(async () => {
    const { code } = await transform(blockOf('ts\n// journal.ts'), { loader: 'ts', target: 'node20' })
    files = {
      'journal.mjs': code,
      'public/index.html': blockOf('html\n<!doctype html>'),
      'public/page.js': blockOf('js\n// public/page.js'),
    }
    mkdirSync(join(journal, 'public'), { recursive: true })
  })

  /** Its program puts the service's address into the files. */
  async function startJournal() {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(journal, name), content)
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
