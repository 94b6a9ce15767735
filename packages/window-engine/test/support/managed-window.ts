// Run in a process that a test gives policies: opens a window, and reports what it took.
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'
import type { EngineError } from '../../src/engine-error.ts'

const [profileFolder = '', url = '', isHeadless = 'true', executable] = process.argv.slice(2)
// Only the browser can end the start sooner.
const engine = createChromiumEngine({
  isHeadless: isHeadless === 'true',
  startTimeoutMs: 600_000,
  executable,
})
const { isAvailable, reason } = await engine.probe(undefined, { url })
const begun = performance.now()
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
const tookMs = Math.round(performance.now() - begun)
process.stdout.write(JSON.stringify({ isAvailable, reason, tookMs, ...outcome }))
