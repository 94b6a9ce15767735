import { spawnSync } from 'node:child_process'
import { createChromiumEngine } from '../../../packages/window-engine/src/chromium/create-chromium-engine.ts'

const [, , executable, lister = '', profileFolder = '', url = '', ...steps] = process.argv

/** Opens a window, and prints after each step its state for the engine, and the windows that the system lists. */
await using window = await createChromiumEngine({ executable }).open({
  url,
  profileFolder,
  userAgentSuffix: 'Test',
  pageScript: '() => {}',
  allowedOrigins: [],
})
const seen: object[] = []
for (const step of steps) {
  if (step === 'hide') await window.hide?.()
  else if (step === 'minimise') await window.minimise()
  else await window.show()
  const listed = spawnSync(lister, ['list'], { encoding: 'utf8' }).stdout
  seen.push({ state: await window.windowState(), mark: /^(.).*: Web app\r?$/m.exec(listed)?.[1] ?? 'none' })
}
console.log(JSON.stringify(seen))
