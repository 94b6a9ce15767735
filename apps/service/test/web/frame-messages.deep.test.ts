import type { PayloadClaims } from '@service-link/protocol-core'
import { hasBrowser } from '@service-link/test-kit/browser'
import { bundle } from '@service-link/test-kit/bundle-module'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  clickInFrame,
  firstPage,
  focusIn,
  goToPostPage,
  linkEmployees,
  press,
  visitOf,
} from '../support/partner-page.ts'
import { sign, visit } from '../support/post.ts'
import { hostileUrl, journalUrl, openSites, type Sites, serviceUrl } from '../support/site.ts'

const listener = await bundle(
  new URL('../../../../packages/jwt-payload/src/browser/index.ts', import.meta.url),
)

const frames = '<iframe name="service" width="1200" height="500"></iframe><iframe name="other"></iframe>'

/** What the journal's page keeps: every message that came, what its listener made of those of the first frame, and how a wait ended. */
interface Journal {
  readonly all: readonly { readonly origin: string; readonly data: unknown }[]
  readonly taken: readonly unknown[]
  readonly outcome: string
}

// Which answers have a message, and for which origins: `packages/receiver/test/partner-answer.test.ts`.
describe.skipIf(!hasBrowser())('the messages of a frame to the journal around it', () => {
  let sites: Sites

  beforeAll(async () => {
    const frameOrigins = ['https://first.example', journalUrl]
    sites = await openSites({ registration: { frameOrigins, ends: true } })
    await linkEmployees(sites)
  })
  afterAll(async () => {
    await sites[Symbol.asyncDispose]()
  })

  /** Opens a page with frames that listens to the first of them. */
  async function openJournal(page: Page, contactId: string, site = journalUrl): Promise<FrameLocator> {
    await goToPostPage(sites, page, { target: 'service', html: frames, payload: visitOf(contactId), site })
    await page.addScriptTag({
      type: 'module',
      content: `${listener}
        const [frame] = document.querySelectorAll('iframe')
        globalThis.journal = { all: [], taken: [] }
        addEventListener('message', ({ origin, data }) => journal.all.push({ origin, data }))
        watchFrame(frame, '${serviceUrl}/partner/payload', message => journal.taken.push(message))
        globalThis.waitFor = (contactId, options) => {
          journal.outcome = waitForPerson(frame, '${serviceUrl}/partner/payload', contactId, options).then(
            () => 'shown', error => error.code ?? error.message)
        }`,
    })
    await page.waitForFunction('globalThis.waitFor')
    return page.frameLocator('iframe[name="service"]')
  }

  const read = <Member extends keyof Journal>(page: Page, member: Member): Promise<Journal[Member]> =>
    page.evaluate(`journal.${member}`)

  /** Waits for as many messages as expected, and compares them. */
  async function expectTaken(page: Page, ...events: readonly object[]): Promise<void> {
    await expect.poll(() => read(page, 'taken'), { timeout: 55_000 }).toEqual(events)
  }

  const loaded = { event: 'loaded' }
  const cleared = { event: 'cleared' }
  const shown = (contactId: string) => ({ event: 'personShown', contactId })

  test('say that it is loaded, whom it shows, when not any more, and why a post is refused', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const frame = await openJournal(page, 'm-1')
    await page.evaluate(`waitFor('m-1')`)
    await press(page)
    expect(await read(page, 'outcome')).toBe('shown')
    const told: object[] = [loaded, shown('m-1')]
    await expectTaken(page, ...told)
    await frame.locator('body').evaluate(() => location.reload())
    told.push(cleared, loaded, shown('m-1'))
    await expectTaken(page, ...told)
    // The service's user clears the person, and takes it back.
    await clickInFrame(frame.getByRole('button', { name: /^Close: stop/ }))
    told.push(cleared)
    await expectTaken(page, ...told)
    await clickInFrame(frame.locator('[data-subject="focus-cleared"]').getByTestId('notice-action'))
    told.push(shown('m-1'))
    await expectTaken(page, ...told)
    // The token was used.
    await page.evaluate(`waitFor('m-1')`)
    await press(page)
    expect(await read(page, 'outcome')).toBe('ERR_FRAME_REFUSED')
    told.push(cleared, { event: 'refused', code: 'ERR_PAYLOAD_REPLAYED' })
    await expectTaken(page, ...told)
    const postAnew = async (payload: PayloadClaims, ...events: readonly object[]) => {
      const token = await sign(sites, payload)
      const field = page.locator('[name="payload"]')
      await field.evaluate((element, value) => element.setAttribute('value', value), token)
      await press(page)
      told.push(...events)
      await expectTaken(page, ...told)
    }
    await postAnew(visitOf('m-2'), loaded, shown('m-2'))
    // Another name: the user must say who is meant.
    await postAnew(visitOf('m-2', 'Kari'), cleared, loaded)
    await clickInFrame(frame.getByTestId('choose-person'))
    told.push(shown('m-2'))
    await expectTaken(page, ...told)
    const { contact: _, ...employee } = visit
    await postAnew(Object({ ...employee, end: 'context' }), cleared)
    await postAnew({ ...visit, employeeId: 'emp-nobody' }, loaded)
    expect(new Set((await read(page, 'all')).map(({ origin }) => origin))).toEqual(new Set([serviceUrl]))
    expect(visitor.complaints).toEqual([])
  })

  test('reach no page of another origin', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const frame = await openJournal(page, 'm-4')
    await press(page)
    await expectTaken(page, loaded, shown('m-4'))
    // As if the journal were not the registered one.
    await frame.locator('body').evaluate((_, origin) => {
      const kept = JSON.parse(sessionStorage.getItem('service-frame') ?? '')
      sessionStorage.setItem('service-frame', JSON.stringify({ ...kept, origins: [origin] }))
      location.reload()
    }, hostileUrl)
    await focusIn(frame, 'm-4').waitFor()
    await press(page)
    // Nothing came from the reloaded page.
    await expectTaken(page, loaded, shown('m-4'), cleared, { event: 'refused', code: 'ERR_PAYLOAD_REPLAYED' })
    // A hostile page gets no page of the service into its frame at all.
    await openJournal(page, 'm-5', hostileUrl)
    const answered = page.waitForResponse(`${serviceUrl}/partner/payload`)
    await press(page)
    await answered
    await page.evaluate(`waitFor('m-5', { timeoutMs: 1000 })`)
    expect(await read(page, 'outcome')).toBe('ERR_FRAME_TIMEOUT')
    expect(await read(page, 'all')).toEqual([])
  })

  test('cannot be faked by a frame beside it, or by another site in it', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await openJournal(page, 'm-6')
    const fake = JSON.stringify({ serviceLink: 1, ...shown('m-6') })
    sites.show(new URL(hostileUrl).host, '/fake', `<script>parent.postMessage(${fake}, '*')</script>`)
    await page.evaluate(`waitFor('m-6', { timeoutMs: 2 ** 31 - 1 })`)
    const came = async (count: number) =>
      expect.poll(async () => (await read(page, 'all')).length, { timeout: 55_000 }).toBe(count)
    for (const name of ['other', 'service']) await page.evaluate(`open('${hostileUrl}/fake', '${name}')`)
    await came(2)
    // A true message, of the service in another frame.
    await page.locator('form').evaluate(form => form.setAttribute('target', 'other'))
    await press(page)
    await came(4)
    expect((await read(page, 'all')).at(-1)).toEqual({ origin: serviceUrl, data: JSON.parse(fake) })
    expect(await read(page, 'taken')).toEqual([])
    await page.evaluate(`{ const given = new AbortController()
      waitFor('m-6', { signal: given.signal }); given.abort(new RangeError('given up')) }`)
    expect(await read(page, 'outcome')).toBe('given up')
  })
})
