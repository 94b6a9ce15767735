import type { Browser } from 'playwright-core'
import { prepareBrowser } from '../measure/browser.ts'
import { median } from '../measure/calls.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath, Row } from '../report.ts'

/** 400 kbit/s. */
const bytesPerSecond = 50_000

const visits = 3

/** Each page of the demo, over a slow line and without any cache: until the browser first draws text or a picture. */
export const firstPaintPath: MeasuredPath = {
  name: 'paint',
  title: 'First paint at 400 kbit/s',
  async measure() {
    const found = await prepareBrowser()
    if ('reason' in found) return { skipped: found.reason }
    await using windowed = found
    await using demo = await startParty('demo')
    await using browser = await windowed.launch()
    const rows: Row[] = []
    for (const [name, url] of Object.entries<string>(JSON.parse(demo.address).pages)) {
      const times: number[] = []
      while (times.length < visits) times.push(await firstPaintOf(browser, url))
      rows.push({ name, unit: 'ms', ours: median(times), goal: { on: 'ours', atMost: 1200 } })
    }
    return { rows }
  },
}

/** Milliseconds from the start of the navigation. */
async function firstPaintOf(browser: Browser, url: string): Promise<number> {
  await using context = await browser.newContext()
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await page.goto(url, { waitUntil: 'commit' })
  const paint = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  )
  return Number(await paint.jsonValue())
}
