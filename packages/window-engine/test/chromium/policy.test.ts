import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canMount, runMounted } from '@service-link/test-kit/private-mount'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'

const engineModule = new URL('../../src/chromium/create-chromium-engine.ts', import.meta.url).href

/** Opens a window with a long time-out, so that only the browser can end it sooner. */
const program = `
  import { createChromiumEngine } from ${JSON.stringify(engineModule)}
  const engine = createChromiumEngine({ isHeadless: true, startTimeoutMs: 600_000 })
  const { isAvailable } = await engine.probe()
  const facts = { userAgentSuffix: '', pageScript: 'send => undefined', allowedOrigins: ['http://127.0.0.1'] }
  const profileFolder = process.argv[1]
  const opening = engine.open({ url: 'http://127.0.0.1:9/', profileFolder, ...facts })
  const fault = await opening.then(window => window.close(), ({ fault, message }) => ({ fault, message }))
  console.log(JSON.stringify({ isAvailable, fault }))
`

/** The results of probe and start with a browser with a managed policy. */
async function openWith(policies: unknown) {
  await using folder = await temporaryFolder()
  const managed = join(folder.path, 'chromium', 'policies', 'managed')
  await mkdir(managed, { recursive: true })
  await writeFile(join(managed, 'hospital.json'), JSON.stringify(policies))
  await copyFile(
    '/etc/chromium/master_preferences',
    join(folder.path, 'chromium', 'master_preferences'),
  ).catch(() => undefined)
  const mount = { prepare: 'mount --bind "$1" /etc/chromium', folder: join(folder.path, 'chromium') }
  const flags = ['-C', '@service-link/source', '--input-type=module', '-e', program]
  const argv = [...flags, join(folder.path, 'profile')]
  const { output, errors } = await runMounted(mount, process.execPath, argv, process.env)
  if (output === '') throw new Error(errors)
  return JSON.parse(output)
}

describe.skipIf(!canMount || !hasBrowser)('a browser with a managed policy', () => {
  test('that forbids nothing is driven', async () => {
    expect(await openWith({ BookmarkBarEnabled: false })).toEqual({ isAvailable: true })
  })

  test('that forbids to drive it is recognized by its behavior, without a wait for a window', async () => {
    const { isAvailable, fault } = await openWith({ RemoteDebuggingAllowed: false })
    expect(isAvailable).toBe(true)
    expect(fault).toEqual({ fault: 'not-available', message: expect.stringContaining('chrome://policy') })
  })
})
