// `npm run screenshots`: takes the picture of the README, the partner's page and the wrapper's window on one screen.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildArguments } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { wrapperVersion } from '@service-link/wrapper-host'
import { startDesktop } from '../check/desktop.ts'
import { eventually, expectEqual } from '../check/expect.ts'
import { findBrowser, findProgram } from '../check/find-program.ts'
import { makeObservable, observablePort } from '../check/observable-browser.ts'
import { openBrowser } from '../check/open-browser.ts'
import { PageObserver } from '../check/page-observer.ts'
import { endProgram, runProgram, startProgram } from '../demo/run-program.ts'
import { startServers } from '../demo/start-servers.ts'
import { makeWrapperFolders } from '../demo/wrapper-folders.ts'

const picture = fileURLToPath(new URL('../../../../docs/images/demo.png', import.meta.url))
const kari = { customId: '29028410117', firstname: 'Kari', lastname: 'Ødegård', dateOfBirth: '1984-02-29' }

await using resources = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'service-pictures-'))
resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const desktop = resources.use((await startDesktop('1600x960')) ?? null)
const browser = findBrowser()
const camera = findProgram('import')
if (!desktop || !browser || !camera)
  throw new Error('Pictures need Chromium, Xvfb, openbox, xdotool and ImageMagick’s import.')

const servers = resources.use(
  await startServers({ dataFolder: join(folder, 'service'), servicePort: 0, partnerPort: 0, eIdPort: 0 }),
)
const partnerWindow = await openBrowser(browser, desktop)
resources.defer(() => partnerWindow.close())
const journal = await partnerWindow.newPage({ viewport: null })
await journal.goto(servers.partner.url)
await journal.locator('[data-testid^="open-"]').first().waitFor()
await desktop.fill('Journal')

const environment = {
  ...process.env,
  ...desktop.environment,
  ...(await makeWrapperFolders({
    folder,
    appUrl: servers.service.url,
    browserEngine: 'EoWebBrowser',
    version: wrapperVersion,
    placement: '580,120,1000,820',
  })),
  // As root, which has no sandbox, the browser would say so across the picture.
  SERVICE_BROWSER: await makeObservable(browser, folder, ['--test-type']),
}
const launch = buildArguments({ provider: defaultBrand.providers.arguments, person: kari })
const wrapper = startProgram('wrapper', launch, { environment })
resources.defer(() => endProgram(wrapper))
const page = resources.use(
  await PageObserver.connect(await observablePort(join(folder, 'wrapper-data', 'browser'))),
)
await page.type('[data-testid="login-form"] input[name="email"]', servers.employee.email)
await page.type('[data-testid="login-form"] input[name="password"]', servers.employee.password)
await page.pressEnter()
await page.waitForAttribute('person-in-focus', 'data-custom-id', kari.customId)
const search = buildArguments({
  provider: defaultBrand.providers.arguments,
  queryExercises: 'squat',
  wait: true,
})
const { exitCode, errors } = await runProgram('wrapper', search, { environment })
expectEqual(`exit code of the search (${errors.trim()})`, exitCode, 0)
await page.click('[data-testid="exercise-results"] a')
await eventually('The exercise', () => page.text('exercise-detail'))
await page.read('document.fonts.ready.then(() => document.activeElement?.blur())')

await promisify(execFile)(camera, ['-window', 'root', picture], { env: environment })
process.stdout.write(`${picture}\n`)
