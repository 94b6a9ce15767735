// Run as a process of its own by a test that kills it: opens a window and says so on stdout.
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'

const [url = '', profileFolder = ''] = process.argv.slice(2)
const window = await createChromiumEngine({ isHeadless: true }).open({
  url,
  profileFolder,
  userAgentSuffix: '',
  pageScript: 'send => undefined',
  allowedOrigins: [new URL(url).origin],
})
window.on('loaded', () => process.stdout.write('loaded\n'))
