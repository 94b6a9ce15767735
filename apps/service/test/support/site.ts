import { createHash, X509Certificate } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PartnerRegistration } from '@service-link/receiver'
import { findBrowser, findQuickBrowser } from '@service-link/test-kit/browser'
import { selfSigned } from '@service-link/test-kit/self-signed'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import type { CreateServiceOptions } from '../../src/server/create-service.ts'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { makeFolderOfRun } from './record.ts'
import { type RunningService, startService } from './service.ts'
import { openTlsFront, type SeenRequest, type TlsFront } from './tls-front.ts'

/** The service's site. */
export const serviceUrl = 'https://service.example'
/** The site of the partner's journal, different from the service's. */
export const journalUrl = 'https://journal.example'
/** A site that belongs to neither. */
export const hostileUrl = 'https://hostile.example'
const hosts = [serviceUrl, journalUrl, hostileUrl].map(url => new URL(url).host)

/** The service and its partner on two https sites. */
export interface Sites extends RunningService {
  /** Requests to any of the three hosts. */
  readonly seen: readonly SeenRequest[]
  /** Answers a path of a site with a page of the test. */
  show: TlsFront['show']
  /** Gives a browser with an empty profile. A later call may empty it for the next visitor. */
  browse(options?: BrowseOptions): Promise<Visitor>
}

/** Options of {@link Sites.browse}. */
export interface BrowseOptions {
  /** Has what only the user's browser has: pop-up blocker and back/forward cache. Default false. */
  readonly isUsers?: boolean
  /** Blocks third-party cookies. Default false. */
  readonly blocksThirdPartyCookies?: boolean
  /** Blocks all cookies and storage, a setting that users can choose. Default false. */
  readonly blocksAllCookies?: boolean
  /** The test sets the pages' clock, which lasts for the whole browser, so it gets a separate one. Default false. */
  readonly setsClock?: boolean
}

/** A visitor with a browser. */
export interface Visitor extends AsyncDisposable {
  readonly context: BrowserContext
  /** The pages' console errors and uncaught exceptions. */
  readonly complaints: readonly string[]
}

/** Options of {@link openSites}. */
export interface SitesOptions {
  readonly service?: Partial<CreateServiceOptions>
  /** Members of the partner's registration besides its key. */
  readonly registration?: Partial<PartnerRegistration>
}

/** The TLS front and the browsers of this worker's files, shared because each takes a second to start. */
let stage: Promise<{ readonly front: TlsFront; readonly spkiDigest: string }> | undefined
const keptBrowsers = new Map<string, Promise<OpenBrowser>>()

async function openStage() {
  // Chromium trusts its key for every host.
  const certificate = selfSigned('service.example')
  const spki = new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' })
  const spkiDigest = createHash('sha256').update(spki).digest('base64')
  return { front: await openTlsFront(certificate), spkiDigest }
}

/** Starts a service and a partner behind the worker's TLS front. A second call replaces the first. */
export async function openSites(options: SitesOptions = {}): Promise<Sites> {
  await using resources = new AsyncDisposableStack()
  stage ??= openStage()
  const { front, spkiDigest } = await stage
  front.reset()
  const key = await createPartnerKey()
  const registration = { ...key.registration, ...options.registration }
  const running = resources.use(
    await startService({ publicUrl: serviceUrl, partners: [registration], ...options.service }),
  )
  front.forward(new URL(serviceUrl).host, running.service.port)
  const owned = resources.move()
  return {
    ...running,
    key,
    seen: front.seen,
    show: front.show,
    browse: options => browse(front.port, spkiDigest, options),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** A browser without traces of a former visitor: a new one, or an emptied one with the same settings. */
async function browse(port: number, spkiDigest: string, options: BrowseOptions = {}): Promise<Visitor> {
  const { setsClock = false, ...settings } = options
  if (setsClock) return openBrowser(port, spkiDigest, settings)
  const name = JSON.stringify(settings)
  let kept = keptBrowsers.get(name)
  if (kept) await empty(await kept)
  else {
    kept = openBrowser(port, spkiDigest, settings)
    keptBrowsers.set(name, kept)
  }
  return { ...(await kept), [Symbol.asyncDispose]: async () => undefined }
}

/** Closes the former visitor's pages and clears their sites' storage. */
async function empty({ context, complaints }: OpenBrowser): Promise<void> {
  const former = context.pages()
  const page = await context.newPage()
  for (const page of former) await page.close()
  await context.clearCookies()
  const session = await context.newCDPSession(page)
  for (const host of hosts)
    await session.send('Storage.clearDataForOrigin', { origin: `https://${host}`, storageTypes: 'all' })
  await session.detach()
  complaints.length = 0
}

interface OpenBrowser extends Visitor {
  readonly complaints: string[]
}

/**
 * A normal window instead of a private one, under the browser's own rules. The test library's relaxations that would
 * change the results are off.
 */
async function openBrowser(
  port: number,
  spkiDigest: string,
  options: Omit<BrowseOptions, 'setsClock'>,
): Promise<OpenBrowser> {
  await using resources = new AsyncDisposableStack()
  const { isUsers, blocksAllCookies, blocksThirdPartyCookies } = options
  const profile = await makeFolderOfRun('profile-')
  resources.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 20 }))
  if (blocksAllCookies) await blockCookies(profile)
  const context = await chromium.launchPersistentContext(profile, {
    executablePath:
      (isUsers || blocksAllCookies || blocksThirdPartyCookies ? findBrowser() : findQuickBrowser()) ?? '',
    timeout: 120_000,
    viewport: { width: 1280, height: 800 },
    ignoreDefaultArgs: [
      '--disable-back-forward-cache',
      '--disable-popup-blocking',
      '--disable-prompt-on-repost',
      '--disable-field-trial-config',
    ],
    args: [
      // The last option wins: it replaces the test library's list, which disables storage partitioning.
      '--disable-features=MediaRouter,OptimizationHints',
      `--host-resolver-rules=${hosts.map(host => `MAP ${host} 127.0.0.1:${port}`).join(', ')}, EXCLUDE localhost`,
      `--ignore-certificate-errors-spki-list=${spkiDigest}`,
      ...(blocksThirdPartyCookies ? ['--test-third-party-cookie-phaseout'] : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  resources.defer(() => context.close())
  context.setDefaultTimeout(55_000)
  const complaints: string[] = []
  context.on('console', message => {
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text())
  })
  context.on('weberror', error => complaints.push(String(error.error())))
  const owned = resources.move()
  return { context, complaints, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Writes the setting into a new profile. */
async function blockCookies(profile: string): Promise<void> {
  const blocked = 2
  await mkdir(join(profile, 'Default'))
  const preferences = { profile: { default_content_setting_values: { cookies: blocked } } }
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences))
}

/** The browser's cookies for the service. */
export const keptCookies = (page: Page) => page.context().cookies(serviceUrl)
