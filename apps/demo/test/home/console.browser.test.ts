import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectWrapper } from '@service-link/pipe-client'
import { expectAccessible, hasBrowser, newPage } from '@service-link/service/test-kit'
import { findOnPath } from '@service-link/window-engine'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConsole } from '../support/console.ts'

const run = promisify(execFile)
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

  test('shows a stranger’s command with its reply; personal data are hidden until they are asked for', async () => {
    const { page, wrapper, complaints } = console
    await using stranger = await connectWrapper({ userFolder: wrapper.folders.userFolder })
    await stranger.selectPerson({ customId: '4711', firstname: 'Åse', lastname: 'Li' })
    await row(page, 'selectperson').click()
    const request = page.getByTestId('request')
    const reply = page.getByTestId('reply')
    await reply.getByText('"status": "created"').waitFor()
    expect(await request.textContent()).toContain('"Method": "selectperson"')
    expect(await page.content()).not.toMatch(/4711|Åse/)
    await expectAccessible(page)
    await page.getByLabel('Show personal data').check()
    await request.getByText('"firstname": "Åse"').waitFor()
    expect(await reply.textContent()).toContain('"customid": "4711"')
    await page.getByText('Bytes', { exact: true }).click()
    const length = Buffer.byteLength(
      JSON.stringify({
        Id: 2,
        Method: 'selectperson',
        Args: { customid: '4711', firstname: 'Åse', lastname: 'Li' },
      }),
    )
    expect(await request.textContent()).toMatch(new RegExp(`^0000  ${length.toString(16)} 00 00 00 7b 22`))
    await page.getByLabel('Show personal data').uncheck()
    await request.getByText('is hidden').waitFor()
    expect(complaints).toEqual([])
  })

  test('filters, pauses and clears', async () => {
    const { page, wrapper } = console
    wrapper.signOut()
    wrapper.signIn()
    await row(page, 'signedIn', 'bridge').first().waitFor()
    await page.getByText('bridge', { exact: true }).first().click()
    await expect.poll(() => row(page, '', 'bridge').count(), limit).toBe(0)
    await page.getByText('bridge', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByTestId('traffic-empty').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    wrapper.signOut()
    await page.getByText('Paused.').waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await row(page, 'signedOut', 'bridge').waitFor()
    wrapper.signIn()
  })

  test('sends a form by the pipe in both modes, by arguments and as an XML file', async () => {
    const { page, wrapper } = console
    const sent = page.getByTestId('sent')
    for (const [way, outcome, kind] of [
      ['Pipe, classic', '"status":"created"', 'classic'],
      ['Pipe, session', '{"Id":1,"Result":{', 'session'],
      ['Arguments', 'exit code 0', 'launch'],
      ['XML file', 'The wrapper deleted the file.', 'input.xml'],
    ] as const) {
      await page.getByText(way, { exact: true }).click()
      await page.getByRole('button', { name: 'Send' }).click()
      await sent.getByText(outcome).waitFor()
      expect(await sent.textContent()).toMatch(/Done in \d+ ms/)
      await page.locator('.console-row', { hasText: kind }).first().waitFor()
    }
    const selected = wrapper.calls.filter(({ handler }) => handler === 'selectPerson').slice(-4)
    for (const { args } of selected) expect(args).toMatchObject({ customId: '1001', firstname: 'Kari' })
    await page.getByLabel('Command', { exact: true }).selectOption('openworkout')
    await page.getByRole('textbox', { name: 'id', exact: true }).fill('99')
    await page.getByRole('button', { name: 'Send' }).click()
    await sent.getByText('ERR_NOT_FOUND').waitFor()
    expect(await page.getByText('XML file', { exact: true }).isVisible()).toBe(true)
    expect(await page.getByRole('radio', { name: 'XML file' }).isDisabled()).toBe(true)
    await page.getByLabel('Command', { exact: true }).selectOption('queryexercises')
  })

  test.for([
    ['Command line', 'input.sh', file => run('sh', [file])],
    ['Python', 'request.py', file => run('python3', [file])],
    ['C#', 'Request.cs', compileAndRun],
  ] as const satisfies [string, string, (file: string) => Promise<{ stdout: string }>][])(
    'copies a request as %s, which runs',
    async ([form, name, start], { skip }) => {
      if (form === 'C#' && !findOnPath('mcs')) skip('Mono is not installed.')
      const { page, wrapper } = console
      await page.getByLabel('Command', { exact: true }).selectOption('selectperson')
      await page.getByText(form, { exact: true }).click()
      const lastname = `Li ${form} "'$HOME\\ø`
      await page.getByRole('textbox', { name: 'lastname', exact: true }).fill(lastname)
      const copy = page.getByTestId(`copy-${form}`)
      await expect.poll(() => copy.textContent(), limit).toContain(`Li ${form} `)
      const file = join(wrapper.folders.userFolder, name)
      await writeFile(file, (await copy.textContent()) ?? '')
      const { stdout } = await start(file)
      if (form !== 'Command line')
        expect(stdout).toMatch(/^\{"Id":1,"Result":\{"status":"(created|selected)"/)
      await expect.poll(() => wrapper.calls.at(-1)?.args, limit).toMatchObject({ customId: '1001', lastname })
    },
  )
})

async function compileAndRun(file: string): Promise<{ stdout: string }> {
  const program = file.replace(/cs$/, 'exe')
  await run('mcs', [`-out:${program}`, file])
  return run('mono', [program])
}
