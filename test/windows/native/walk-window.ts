import { spawnSync } from 'node:child_process'
import { createChromiumEngine } from '../../../packages/window-engine/src/chromium/create-chromium-engine.ts'

const [, , executable, lister = '', profileFolder = '', url = '', ...steps] = process.argv

const marks: Readonly<Record<string, string>> = { show: '>', hide: 'none', minimise: '_' }
const markOf = () =>
  /^(.).*: Web app/m.exec(spawnSync(lister, ['list'], { encoding: 'utf8' }).stdout)?.[1] ?? 'none'

/** How often the system is asked until a step has had its effect. Wine takes up to two seconds to hide a window. */
const looks = 50

/** Opens a window, and prints after each step its state for the engine, and its mark in the list of the system. */
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
  let mark = markOf()
  for (let look = 0; look < looks && mark !== marks[step]; look++) mark = markOf()
  seen.push({ state: await window.windowState(), mark })
}
console.log(JSON.stringify(seen))
