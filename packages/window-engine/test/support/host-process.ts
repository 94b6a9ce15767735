// Run in a separate process that a test kills: opens a window and reports it on stdout.
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
