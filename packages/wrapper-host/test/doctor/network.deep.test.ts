import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canManage, runManaged } from '@service-link/test-kit/managed-policies'
import { listen } from '@service-link/test-kit/serve'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../src/cli/service-webwrapper.ts', import.meta.url))

/** Checks a web app that is only behind the proxy of a policy. */
async function checkService(policies: Readonly<Record<string, unknown>>) {
  await using folder = await temporaryFolder()
  await using proxy = await listen((_request, response) => {
    response.end('<title>App</title>')
  })
  const root = join(folder.path, 'root')
  await mkdir(root)
  await writeFile(
    join(root, 'Service.Client.WebWrapper.exe.config'),
    '<configuration><applicationSettings><S><setting name="AppUrl"><value>http://app.invalid/start</value></setting></S></applicationSettings></configuration>',
  )
  const proxied = { ProxyMode: 'fixed_servers', ProxyServer: new URL(proxy.origin).host }
  const argv = ['-C', '@service-link/source', program, 'doctor', '--json']
  const { output } = await runManaged({ ...proxied, ...policies }, process.execPath, argv, {
    ...process.env,
    SERVICE_WRAPPER_ROOT: root,
    SERVICE_WRAPPER_DATA: join(folder.path, 'data'),
  })
  const findings: readonly { readonly check: string }[] = JSON.parse(output)
  return findings.find(({ check }) => check === 'service')
}

describe.skipIf(!canManage || !hasBrowser)('a web app behind the proxy of a policy', () => {
  test('answers the browser that may open nothing else', async () => {
    const policies = { URLBlocklist: ['*'], URLAllowlist: ['app.invalid/start'] }
    const sentence = expect.stringContaining('answers the browser, as it must, with status 200')
    expect(await checkService(policies)).toMatchObject({ status: 'ok', sentence })
  })

  test('is not asked for by a browser that must have a window', async () => {
    const remedy = expect.stringContaining('The policy HeadlessMode')
    expect(await checkService({ HeadlessMode: 2 })).toMatchObject({ status: 'warning', remedy })
  })
})
