import AxeBuilder from '@axe-core/playwright'
import { launchBrowser } from '@service-link/test-kit/browser'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import * as z from 'zod'
import type { DemoAccount } from '../../src/server/demo-data.ts'
import { recordPart } from './record.ts'

let launched: Promise<Browser> | undefined

/** The browser of all test files of this worker; ends with the worker. */
function sharedBrowser(): Promise<Browser> {
  recordPart('browser')
  launched ??= launchBrowser()
  return launched
}

/** A page in a browser context without other cookies; collects the page's complaints. */
export async function newPage({ locale = 'en-US' } = {}): Promise<{ page: Page; complaints: string[] }> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale })
  const complaints: string[] = []
  context.on('console', message => {
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text())
  })
  context.on('weberror', error => complaints.push(String(error.error())))
  const page = await context.newPage()
  page.setDefaultTimeout(50_000)
  return { page, complaints }
}

/** Expects a page without frames to break no rule of accessibility. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeProblems(page)).toEqual([])
}

/** The rules of accessibility that a page without frames breaks, with the parts that break them. */
export async function axeProblems(page: Page): Promise<string[]> {
  // Checks in the page itself: the other mode opens a second page for each check.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 120)).join(' ')}`)
}

/** Fills in the log-in form and sends it. */
export async function logInOn(page: Page, { email, password }: DemoAccount): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByTestId('login-submit').click()
}

/** Logs in for a first visit and confirms the link to the account. */
export async function linkOn(page: Page, account: DemoAccount): Promise<void> {
  await logInOn(page, account)
  await page.getByTestId('link-confirm').click()
}

const answerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), value: z.unknown() }),
  z.object({ type: z.literal('failure'), code: z.string(), message: z.string() }),
])

/** The page's answer to a call. */
export type HostAnswer = z.output<typeof answerSchema>

/** Plays the wrapper's part of the bridge in a page: provides the port of the wrapper's page script. */
export async function hostPage(page: Page): Promise<{
  /** The page's messages by type. */
  said: () => Promise<string[]>
  /** Gives the page the facts of a wrapper with these parameters of its launch. */
  welcome: (launchParameters: object) => Promise<unknown>
  call: (handler: string, args: object, id?: number) => Promise<HostAnswer>
  cancel: (id: number) => Promise<unknown>
  /** Calls, and reads an attribute at the answer, which leaves no time for a later effect. */
  callThenRead: (handler: string, args: object, testId: string, attribute: string) => Promise<unknown>
}> {
  await page.addInitScript({
    content: `(() => {
      const said = []
      globalThis.__testHost = { said, receive: undefined }
      globalThis.__wrapperHost = {
        protocol: 1,
        send: message => said.push(message.type),
        connect: receive => { globalThis.__testHost.receive = receive; return () => {} },
      }
    })()`,
  })
  return {
    said: async () => z.array(z.string()).parse(await page.evaluate('globalThis.__testHost.said')),
    welcome: launchParameters =>
      page.evaluate(
        `globalThis.__testHost.receive(${JSON.stringify({
          type: 'welcome',
          protocol: 1,
          info: { version: '3.0.0.0', distributorName: 'Acme', launchParameters },
        })})`,
      ),
    call: async (handler, args, id) =>
      answerSchema.parse(
        await page.evaluate(
          `globalThis.__testHost.receive(${JSON.stringify({ type: 'call', id, handler, args })})`,
        ),
      ),
    cancel: id => page.evaluate(`globalThis.__testHost.receive(${JSON.stringify({ type: 'cancel', id })})`),
    callThenRead: (handler, args, testId, attribute) =>
      page.evaluate(
        `globalThis.__testHost.receive(${JSON.stringify({ type: 'call', handler, args })}).then(() =>
          document.querySelector('[data-testid="${testId}"]')?.getAttribute('${attribute}'))`,
      ),
  }
}
