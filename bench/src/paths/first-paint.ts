import type { Browser } from 'playwright-core'
import { prepareBrowser } from '../measure/browser.ts'
import { medianOf } from '../measure/calls.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath, Row } from '../report.ts'

/** 400 kbit/s, and the way to a distant server. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 50_000, uploadThroughput: 50_000 }

/** After a page can be used: late parts must not move it. */
const settlingMs = 1000

interface Page {
  readonly name: string
  readonly addresses: readonly string[]
  /** Selects what a user works with. */
  readonly usable: string
  readonly cookie: string
}

/** Each page of the demo, over a slow line and without any cache: until the browser first draws text or a picture, and until it can be used. */
export const firstPaintPath: MeasuredPath = {
  name: 'paint',
  title: 'Pages at 400 kbit/s and 150 ms',
  async measure() {
    const found = await prepareBrowser()
    if ('reason' in found) return { skipped: found.reason }
    await using windowed = found
    await using demo = await startParty('demo')
    await using browser = await windowed.launch()
    const rows: Row[] = []
    const pages: readonly Page[] = JSON.parse(demo.address).pages
    for (const page of pages) {
      const visits: Visit[] = []
      const narrow: Visit[] = []
      for (const [index, address] of page.addresses.entries()) {
        if (index % 2 === 0) visits.push(await visit(browser, address, page, { width: 1280, height: 800 }))
        else narrow.push(await visit(browser, address, page, { width: 360, height: 740 }))
      }
      const shiftOf = (all: readonly Visit[]) => medianOf(all, ({ shift }) => shift)
      const most = (atMost: number) => ({ on: 'ours', atMost }) as const
      const { name } = page
      rows.push(
        { name, unit: 'ms', ours: medianOf(visits, ({ paintMs }) => paintMs), goal: most(1200) },
        { name: `${name}: usable`, unit: 'ms', ours: medianOf(visits, ({ usableMs }) => usableMs) },
        {
          name: `${name}: shifts, at 1,280 or 360 px`,
          unit: 'of the view',
          ours: Math.max(shiftOf(visits), shiftOf(narrow)),
          goal: most(0.02),
        },
        { name: `${name}: requests`, unit: 'requests', ours: medianOf(visits, ({ requests }) => requests) },
        { name: `${name}: bytes of their answers`, unit: 'kB', ours: medianOf(visits, ({ kB }) => kB) },
      )
    }
    return { rows }
  },
}

interface Visit {
  /** From the start of the navigation, as the next. */
  readonly paintMs: number
  readonly usableMs: number
  /** Cumulative layout shift. */
  readonly shift: number
  readonly requests: number
  readonly kB: number
}

async function visit(
  browser: Browser,
  address: string,
  { usable, cookie }: Page,
  viewport: { readonly width: number; readonly height: number },
): Promise<Visit> {
  await using context = await browser.newContext({ viewport })
  const domain = new URL(address).hostname
  const cookies = Array.from(cookie.matchAll(/([^=; ]+)=([^;]*)/g), ([, name = '', value = '']) => ({
    name,
    value,
  }))
  await context.addCookies(cookies.map(pair => ({ ...pair, domain, path: '/', secure: true })))
  await context.addInitScript(watchShifts)
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  let requests = 0
  let kB = 0
  network.on('Network.requestWillBeSent', () => {
    requests += 1
  })
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    kB += encodedDataLength / 1000
  })
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', slowLine)
  await page.goto(address, { waitUntil: 'commit' })
  await page.locator(usable).first().waitFor({ timeout: 60_000 })
  const usableMs = await page.evaluate(() => performance.now())
  await page.waitForTimeout(settlingMs)
  const { paintMs, shift } = await page.evaluate(() => ({
    paintMs: Number(performance.getEntriesByName('first-contentful-paint')[0]?.startTime),
    shift: Number(Reflect.get(globalThis, 'shift')),
  }))
  return { paintMs, usableMs, shift, requests, kB }
}

/** Runs in each page, before its own scripts. */
function watchShifts(): void {
  Reflect.set(globalThis, 'shift', 0)
  const observer: { observe(options: object): void } = new PerformanceObserver(list => {
    for (const entry of list.getEntries())
      Reflect.set(globalThis, 'shift', Reflect.get(globalThis, 'shift') + Reflect.get(entry, 'value'))
  })
  observer.observe({ type: 'layout-shift', buffered: true })
}
