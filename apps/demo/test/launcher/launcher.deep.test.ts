import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RefusalCode, refusalStatus } from '@service-link/jwt-payload'
import { createLogger } from '@service-link/service'
import { hasBrowser, newPage, type RunningService, startService } from '@service-link/service/test-kit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Partner } from '../../src/journal/create-partner.ts'
import { type Launch, type LauncherFacts, startLaunch } from '../../src/launcher/launch.ts'
import { fragmentOf } from '../../src/launcher/page/link.ts'
import { presets } from '../../src/launcher/presets.ts'
import { keepServiceAnswers } from '../../src/launcher/service-answers.ts'
import { startPartner } from '../support/partner.ts'

const run = promisify(execFile)

describe.skipIf(!hasBrowser())('the launcher', () => {
  const answers = keepServiceAnswers()
  let running: RunningService
  let partner: Partner
  let page: Page
  let complaints: string[]
  let facts: LauncherFacts

  beforeAll(async () => {
    const write = (line: string) => answers.note(JSON.parse(line))
    running = await startService({ logger: createLogger('info', { write }) })
    partner = await startPartner(running, answers)
    const opened = await newPage()
    page = opened.page
    complaints = opened.complaints
    const answered = page.waitForResponse(response => response.url().endsWith('/launcher/facts'))
    await page.goto(partner.openUrl('/launcher'))
    facts = await (await answered).json()
  })
  afterAll(async () => {
    await page.context().close()
    await partner.close()
    await running[Symbol.asyncDispose]()
    answers[Symbol.dispose]()
  })

  const expectChecks = (text: string) =>
    expect.poll(() => page.getByTestId('expected').textContent(), { timeout: 50_000 }).toBe(text)
  const allPass = 'no problem found here'

  /** Shows a launch, as a link does. */
  async function show(change: (start: Launch) => Partial<Launch>): Promise<void> {
    const start = startLaunch(facts)
    const fragment = fragmentOf({ ...start, ...change(start) }, facts)
    await page.evaluate(hash => {
      location.hash = hash
    }, fragment)
  }

  /** Calls the service from the journal’s server, and reads the status and code of the last answer. */
  async function call(): Promise<string | null> {
    // The button shows that it works a moment after the click: until then the answer is the one before.
    const answered = page.waitForResponse(response => response.url().endsWith('/launcher/call'))
    // By key: a click can miss the button, because cards above it grow once the token of a shown launch is signed.
    await page.getByTestId('call').press('Enter')
    await answered
    await page.locator('[data-testid="call"]:not([data-loading])').waitFor()
    return page.getByTestId('answer').getByTestId('status').textContent()
  }

  const question = () => page.getByTestId('send-question')

  test('an edit changes the token and its checks at once, and the service agrees', async () => {
    await expectChecks(allPass)
    await page.getByLabel('birthdate').fill('12.05.1979')
    await expectChecks('ERR_PAYLOAD_SHAPE')
    expect(await page.locator('[data-check="claims"]').textContent()).toContain('YYYY-MM-DD')
    expect(await call()).toBe('422 ERR_PAYLOAD_SHAPE')
    expect(await page.getByTestId('answer').textContent()).toContain('contact.birthdate')
    // The form and the JSON are views of one value.
    await page.getByText('JSON', { exact: true }).click()
    const json = page.getByTestId('claims-json')
    const claims = JSON.parse(await json.inputValue())
    expect(claims.contact.birthdate).toBe('12.05.1979')
    claims.contact.birthdate = '1979-05-12'
    await json.fill(JSON.stringify(claims))
    await page.getByText('Form', { exact: true }).click()
    expect(await page.getByLabel('birthdate').inputValue()).toBe('1979-05-12')
    await expectChecks(allPass)
    expect(await call()).toBe('200 accepted')
    expect(complaints).toEqual([])
  })

  test('a post opens the service with the patient in a new tab', async () => {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.getByTestId('post').click()])
    await tab.getByTestId('pending-visit').waitFor()
    await tab.close()
    await page.getByTestId('answer').getByText('200 accepted').waitFor()
    // The bar alone is in view of a small screen.
    await page.evaluate(() => Object.assign(window, { opens: window.open, open: () => null }))
    await page.getByTestId('post').click()
    await page.getByTestId('answered').getByText('Allow pop-ups').waitFor()
    await page.evaluate(() => Object.assign(window, { open: Reflect.get(window, 'opens') }))
  })

  test('the frame is there for what the service shows in it alone', async () => {
    const frame = page.locator('iframe')
    const showFrame = async () => {
      await show(() => ({}))
      await page.getByTestId('frame').click()
      await frame.waitFor()
    }
    await showFrame()
    await page.getByTestId('call').click()
    await frame.waitFor({ state: 'hidden' })
    await showFrame()
    await page.getByTestId('preset').click()
    await page.getByRole('option', { name: 'ERR_CROSS_ORIGIN' }).click()
    await frame.waitFor({ state: 'hidden' })
    // No form sends it.
    expect(await page.getByTestId('post').textContent()).toBe('Call directly')
    expect(await page.getByTestId('frame').count()).toBe(0)
    // An answer is of its address.
    expect(await call()).toBe('403 ERR_CROSS_ORIGIN')
    await page.getByLabel('Address of the post').fill('http://127.0.0.1:9/partner/payload')
    await page.getByTestId('answered').getByText('nothing sent yet').waitFor()
    await page.getByLabel('Address of the post').fill(facts.address)
  })

  test('the service’s refusal of a post comes back by its request id; the page says what it cannot know of another service', async () => {
    for (const way of ['post', 'frame']) {
      await show(start => ({ ...presets.ERR_PAYLOAD_TIMES.change?.(start), preset: 'ERR_PAYLOAD_TIMES' }))
      const opened = way === 'post' ? page.context().waitForEvent('page') : undefined
      await page.getByTestId(way).click()
      const answer = page.getByTestId('answer')
      const tab = await opened
      if (tab) {
        await tab.locator('dd').last().waitFor({ state: 'attached' })
        await answer.getByText(String(await tab.locator('dd').last().textContent())).waitFor()
      } else {
        await page.getByText('The service refused the post, so the frame is empty.').waitFor()
        expect(await page.locator('iframe').isHidden()).toBe(true)
      }
      expect(await answer.textContent()).toContain('401 ERR_PAYLOAD_TIMES')
      expect(await page.getByTestId('answered').textContent()).toBe('401 ERR_PAYLOAD_TIMES')
      await tab?.close()
    }
    await show(() => ({ address: 'http://127.0.0.1:9/partner/payload' }))
    await page.getByText('Another service: only it knows').waitFor()
    await page.getByTestId('frame').click()
    await question().getByRole('button', { name: 'Send it' }).click()
    await page.getByTestId('answer').getByText('cannot read another service’s answer').waitFor()
    await page.getByTestId('call').click()
    await page.getByText('The address cannot be reached.').waitFor()
    // Nothing is sent to what is no address, and nothing asked.
    await page.getByLabel('Address of the post').fill('localhost/partner')
    await page.getByText('Write an absolute address').waitFor()
    await page.getByTestId('post').click()
    await page.locator('#address:focus').waitFor()
    expect(await question().count()).toBe(0)
    await page.getByLabel('Address of the post').fill(facts.address)
  })

  test('a preset is chosen by its name', async () => {
    await page.getByTestId('preset').click()
    await page.getByRole('option', { name: 'ERR_PAYLOAD_AUDIENCE' }).click()
    await expectChecks('ERR_PAYLOAD_AUDIENCE')
    expect(await page.locator('[data-check="audience"]').textContent()).toContain('the host is another one')
  })

  test('each code of a refusal has a preset, and the service answers it with that code', async () => {
    expect(Object.keys(presets)).toEqual(Object.keys(refusalStatus))
    for (const [code, { change }] of Object.entries(presets)) {
      await show(start => ({ ...change?.(start), preset: code as RefusalCode }))
      expect(await call()).toBe(`${Reflect.get(refusalStatus, code)} ${code}`)
    }
  })

  // Each algorithm signs in `src/launcher/page/keys.test.ts`.
  test('a key of this page signs, once it is registered', async () => {
    for (const algorithm of ['PS512', 'EdDSA'] as const) {
      await show(() => ({ algorithm, key: 'generated', isRegistered: true }))
      expect(`${algorithm}: ${await call()}`).toBe(`${algorithm}: 200 accepted`)
      await expectChecks(allPass)
    }
  })

  test('a link reproduces a launch in another browser, without the key', async () => {
    await show(() => ({ audience: 'https://elsewhere.example/', key: 'pasted' }))
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await page.getByTestId('pasted-key').fill(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    await expectChecks('ERR_PAYLOAD_AUDIENCE')
    const address = page.url()
    expect(atob(new URL(address).hash.slice(1))).not.toContain('BEGIN')
    const { page: other } = await newPage()
    await other.goto(address)
    await other.getByText('This page needs its key').waitFor()
    await other.goto(partner.openUrl('/launcher') + new URL(address).hash.replace('#', '&'))
    expect(await other.getByTestId('key').inputValue()).toContain('One of mine')
    expect(await other.getByLabel('aud', { exact: true }).inputValue()).toContain('elsewhere.example')
    await other.context().close()
  })

  test('asks, with both addresses, before a signed token goes to a stranger, and sends nothing after a cancel', async () => {
    await using stranger = await startStranger()
    await using other = await startStranger()
    const audience = `${running.service.url}/partner/payload`
    const buttons = ['post', 'frame', 'call'].map(name => page.getByTestId(name))
    const cancels = [
      () => question().getByRole('button', { name: 'Cancel' }).last().click(),
      () => page.keyboard.press('Escape'),
      () => question().getByRole('button', { name: 'Cancel' }).first().click(),
    ]
    await show(() => ({ address: stranger.url, audience }))
    for (const [index, button] of buttons.entries()) {
      await button.click()
      expect(await question().getByLabel('Address of the post').textContent()).toBe(stranger.url)
      expect(await question().getByLabel('aud of the token').textContent()).toBe(audience)
      // Filled is the safe one.
      const plain = question().locator('button[data-variant="default"]')
      expect(await plain.allTextContents()).toEqual(['Send it'])
      await cancels[index]?.()
      await question().waitFor({ state: 'detached' })
    }
    // Typed by hand.
    await show(() => ({ audience }))
    await page.getByLabel('Address of the post').fill(stranger.url)
    await page.getByTestId('call').click()
    // A link that arrives behind the question changes nothing of it.
    await show(() => ({ address: other.url, audience }))
    await expect.poll(() => page.getByLabel('Address of the post').first().inputValue()).toBe(other.url)
    await question().getByRole('button', { name: 'Send it' }).click()
    await page.getByTestId('answer').waitFor()
    expect([stranger.requests, other.requests]).toEqual([['POST'], []])
  })

  test('a registered key of one’s own signs by the copied TypeScript, Python and curl', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await show(() => ({ algorithm: 'RS256', key: 'pasted', issuer: 'https://own.example' }))
    await page.getByTestId('pasted-key').fill(pem)
    const card = page.getByTestId('register')
    await card.locator('summary').click()
    await card.getByLabel('Public key').fill(pem)
    await card.getByRole('button').click()
    await card.getByText('it holds a private key').waitFor()
    await card.getByLabel('Public key').fill(String(publicKey.export({ type: 'spki', format: 'pem' })))
    await card.getByLabel('iss').fill('https://own.example')
    await card.getByRole('button').click()
    const registered = await card.getByTestId('registered').textContent()
    expect(registered).toContain('iss  https://own.example')
    expect(registered).toContain(`aud  ${running.service.url}/partner/payload`)
    await using folder = await makeFolder()
    await folder.write('private.pem', pem)
    await folder.write('post.ts', await copied('TypeScript'))
    await folder.write('post.py', await copied('Python'))
    const node = ['-C', '@service-link/source', 'post.ts']
    const results = [folder.run(process.execPath, ...node), folder.run('sh', '-c', await copied('curl'))]
    if (existsSync('/usr/lib/python3/dist-packages/jwt'))
      results.push(folder.run('/usr/bin/python3', 'post.py'))
    for (const output of await Promise.all(results))
      expect(output).toContain(`${running.service.url}/partner/payload/open/`)
  })

  test.skipIf(!existsSync('/usr/bin/mcs'))('the copied C# signs with a registered secret', async () => {
    await show(() => ({ algorithm: 'HS256', key: 'secret', isRegistered: true }))
    expect(await call()).toBe('200 accepted')
    await using folder = await makeFolder()
    await folder.write('secret.txt', await page.getByLabel('Secret').inputValue())
    await folder.write('post.cs', await copied('C#'))
    await folder.run('mcs', '-langversion:5', '-r:System.Net.Http.dll', 'post.cs')
    expect(await folder.run('mono', 'post.exe')).toContain(`${running.service.url}/partner/payload/open/`)
  })

  /** The text of a language's tab. */
  async function copied(language: string): Promise<string> {
    const card = page.getByTestId('copy-as')
    if ((await card.getAttribute('open')) === null) await card.locator('summary').click()
    // By key, as in `call`.
    await card.getByRole('tab', { name: language, exact: true }).press('Enter')
    return (await page.getByTestId(`copy-${language}`).textContent()) ?? ''
  }
})

/** A server that is none of the demo's. */
async function startStranger() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method}`)
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())
  return {
    url: `http://127.0.0.1:${port}/partner/payload`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A folder inside the demo, whose packages the copied TypeScript imports. */
async function makeFolder() {
  const parent = join(import.meta.dirname, '../../.data')
  await mkdir(parent, { recursive: true })
  const cwd = await mkdtemp(join(parent, 'copied-'))
  return {
    write: (name: string, text: string) => writeFile(join(cwd, name), text),
    run: async (program: string, ...args: readonly string[]) =>
      (await run(program, args, { cwd, timeout: 60_000 })).stdout,
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true }),
  }
}
