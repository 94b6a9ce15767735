import { expect, test } from 'vitest'
import { hasBrowser, launchBrowser } from '../../internal/test-kit/src/browser.ts'
import { partnerLanguages } from '../../internal/test-kit/src/partner-programs.ts'
import { followPage } from './follow-page.ts'
import { describePacked } from './packed.ts'

const isWindows = process.platform === 'win32'

// Their blocks are those of a POSIX shell.
describePacked('a quick start from an empty folder', { timeout: 240_000 }, () => {
  test.skipIf(isWindows || !hasBrowser())('opens the service from a web page', async () => {
    await using page = await followPage('docs/start/open-the-service.md', [4280, 3000])
    await using browser = await launchBrowser()
    const journal = await browser.newPage()
    await journal.goto(`http://localhost:${page.portOf(3000)}`)
    const open = async () => {
      const [tab] = await Promise.all([journal.waitForEvent('popup'), journal.click('button')])
      return tab
    }
    const first = await open()
    await first.getByLabel('E-mail').fill('ingrid.solberg@fjordklinikken.example')
    await first.getByLabel('Password').fill('fjord-klinikk-2026')
    await first.getByRole('button', { name: 'Sign in and continue' }).click()
    await first.getByTestId('link-confirm').click()
    await first.getByText('Kari Nordmann').first().waitFor()
    const second = await open()
    await second.getByText('Kari Nordmann').first().waitFor()
  })

  test.skipIf(isWindows || !hasBrowser())('receives the link', async () => {
    await using page = await followPage('docs/start/receive-the-link.md', [3001])
    await using browser = await launchBrowser()
    const service = `http://localhost:${page.portOf(3001)}/partner/payload`
    const post = async () => {
      const printed = await page.shell(
        `npx service-payload post ${service} --key keys/private.pem --claims claims.json`,
      )
      const tab = await browser.newPage()
      await tab.goto(printed.trim())
      return tab
    }
    const first = await post()
    await first.getByRole('button', { name: 'Log in as Ingrid Solberg' }).click()
    await first.getByRole('heading', { name: 'created: ' }).waitFor()
    const second = await post()
    await second.getByRole('heading', { name: 'selected: ' }).waitFor()
    expect(await second.getByRole('button').count()).toBe(0)
  })

  test.skipIf(isWindows)('drives the wrapper in each language', async () => {
    const languages = partnerLanguages.flatMap(({ name, leftOut }) => (leftOut === undefined ? [name] : []))
    await using page = await followPage('docs/start/drive-the-program.md', [], languages)
    const printed = await page.shell('SERVICE_WRAPPER_DATA="$PWD/wrapper/user" npx service-pipe status')
    expect(JSON.parse(printed)).toMatchObject({ person: { customid: '4711' } })
  })

  test.skipIf(isWindows)('reviews it for a hospital', async () => {
    await using page = await followPage('docs/start/review.md')
    expect(await page.shell('ls service-link')).toContain('SECURITY.md')
  })

  test.skipIf(isWindows)('builds a wrapper with a brand', async () => {
    await using page = await followPage('docs/start/brand-a-wrapper.md')
    expect(await page.shell('ls dist')).toContain('Acme.Client.WebWrapper-3.0.0.0-linux-x64.cdx.json')
  })
})
