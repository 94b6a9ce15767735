// Run in a process that a test gives policies: opens a window, and reports what it took.
import { createChromiumEngine, type ForbiddenBrowser } from '../../src/chromium/create-chromium-engine.ts'
import type { EngineError } from '../../src/engine-error.ts'

const [profileFolder = '', url = '', executable] = process.argv.slice(2)
const forbidden: ForbiddenBrowser[] = []
// Only the browser can end the start sooner.
const engine = createChromiumEngine({
  isHeadless: true,
  startTimeoutMs: 600_000,
  executable,
  onForbidden: each => forbidden.push(each),
})
const { isAvailable, reason } = await engine.probe(undefined, { url })
const opening = engine.open({
  url,
  profileFolder,
  userAgentSuffix: '',
  pageScript: `send => { globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) } }`,
  allowedOrigins: [new URL(url).origin],
})
const outcome = await opening.then(
  async window => {
    try {
      await new Promise<unknown>(resolve => window.on('loaded', resolve))
      const title = await window.call('document.title', { timeoutMs: 60_000 })
      return { title, isReachable: await window.canReach(url, { timeoutMs: 60_000 }) }
    } finally {
      await window.close()
    }
  },
  ({ fault, message, policies }: EngineError) => ({ fault, message, policies }),
)
process.stdout.write(JSON.stringify({ isAvailable, reason, forbidden, ...outcome }))
