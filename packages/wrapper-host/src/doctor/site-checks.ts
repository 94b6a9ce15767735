import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import type { Settings } from '@service-link/protocol-core'
import { Deadline } from '@service-link/protocol-core/time'
import { EngineError, type EngineWindow } from '@service-link/window-engine'
import { failureReason } from '../log/failure-reason.ts'
import { checkAppUrl, readAppUrl } from '../settings/resolve-settings.ts'
import { updateFile } from '../update/offer-update.ts'
import { selectWindowEngine } from '../window/own-browser.ts'
import {
  checkMs,
  type DoctorChecks,
  type DoctorInput,
  type Finding,
  ok,
  problem,
  skipped,
  unknownSettings,
  warning,
} from './doctor-check.ts'

async function service(input: DoctorInput, signal: AbortSignal): Promise<Finding> {
  const { values, application } = await input.settings()
  if (application.state === 'damaged') return unknownSettings
  return ask(input, checkAppUrl(values.AppUrl, application.file), 'AppUrl', signal)
}

async function updateSite(input: DoctorInput, signal: AbortSignal): Promise<Finding> {
  const { values, application } = await input.settings()
  const { UpdateUrl, CheckForUpdates } = values
  if (application.state === 'damaged') return unknownSettings
  if (!CheckForUpdates) return skipped('The setting CheckForUpdates is off.')
  const site = URL.parse(UpdateUrl)
  if (!site) return skipped('The setting UpdateUrl names no site.')
  // The update check asks for this file. The site may have no page.
  return ask(input, updateFile(site, 'version.txt'), 'UpdateUrl', signal)
}

async function ask(
  { settings, environment, engine }: DoctorInput,
  url: URL,
  setting: string,
  signal: AbortSignal,
): Promise<Finding> {
  const deadline = new Deadline(checkMs - spareMs, signal)
  const { values } = await settings()
  // A program's own engine has a network of its own.
  const askBrowser = engine ? undefined : () => reachByBrowser(url, values, deadline)
  return checkSite(url, setting, { environment, signal, askBrowser })
}

export const siteChecks: DoctorChecks = { service, 'update-site': updateSite }

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy']

/** A slower answer is a warning. In milliseconds. */
const slowMs = 3000

interface CheckSiteOptions {
  /** Names proxies by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** Longest wait for the answer, in milliseconds. Default 4,000. */
  readonly timeoutMs?: number
  /** Asks a site that does not answer once more, as window and update check do. Default: it is not asked. */
  readonly askBrowser?: (() => Promise<BrowserAnswer>) | undefined
}

/** What the browser says of a site: a status, why it does not reach it, or why it could not be asked. */
export type BrowserAnswer =
  | { readonly status: number }
  | { readonly fault: string }
  | { readonly unasked: string }

/** Asks a web site and judges its answer. Names only the origin, because path and query may hold credentials. */
export async function checkSite(url: URL, setting: string, options: CheckSiteOptions): Promise<Finding> {
  const { environment, signal, timeoutMs = 4000, askBrowser } = options
  const variables = proxyVariables.filter(name => environment[name]).join(' and ')
  const site = `${url.origin}${variables && ` (${variables} set)`}`
  const timeout = AbortSignal.timeout(timeoutMs)
  const startedAt = performance.now()
  try {
    const status = await reachSite(url, environment, AbortSignal.any([signal, timeout]))
    const tookMs = Math.round(performance.now() - startedAt)
    const sentence = `${site} answers with status ${status} after ${tookMs} ms.`
    const finding = judgeStatus(status, sentence, setting)
    const isSlow = finding.status === 'ok' && tookMs > slowMs
    return isSlow ? warning(sentence, 'Find out why the network is slow.') : finding
  } catch (error) {
    const reason = timeout.aborted ? `not within ${timeoutMs / 1000} seconds` : reasonOf(error)
    const answer = await askBrowser?.()
    return answer
      ? judgeAnswer(answer, { site, reason, setting })
      : noAnswer(`${site} does not answer: ${reason}.`, setting)
  }
}

function judgeStatus(status: number, sentence: string, setting: string): Finding {
  if (status >= 500) return problem(sentence, 'The service has a fault: ask its operator.')
  if (status >= 400) return problem(sentence, `Check the setting ${setting}, and the proxy.`)
  return ok(sentence)
}

interface UnansweredCheck {
  readonly site: string
  /** Why the site does not answer this process. */
  readonly reason: string
  readonly setting: string
}

function judgeAnswer(answer: BrowserAnswer, { site, reason, setting }: UnansweredCheck): Finding {
  if ('status' in answer) {
    const sentence = `${site} answers the browser, as it must, with status ${answer.status}. Without the browser’s proxy or certificates it does not: ${reason}.`
    return judgeStatus(answer.status, sentence, setting)
  }
  if ('fault' in answer)
    return noAnswer(
      `${site} does not answer: ${reason}. Nor does it answer the browser. ${answer.fault}`,
      setting,
    )
  return warning(
    `${site} does not answer: ${reason}. The browser, which may know a proxy, could not be asked.`,
    `${answer.unasked} Or start the wrapper: it says whether it reaches the site.`,
  )
}

const remedies: readonly (readonly [RegExp, string])[] = [
  [/BLOCKED_BY_ADMINISTRATOR/, 'Have the site added to the policy URLAllowlist of the browser.'],
  [
    /PROXY|TUNNEL/,
    'Check the proxy of the system and the policies about it (chrome://policy, chrome://net-internals).',
  ],
  [
    /CERT|CRL|CHAIN|LEAF/,
    'Check the clock of this machine. Have the certificate renewed, or its authority installed in this machine’s store.',
  ],
]

function noAnswer(sentence: string, setting: string): Finding {
  const remedy = remedies.find(([pattern]) => pattern.test(sentence))?.[1]
  return problem(sentence, remedy ?? `Check the network, the proxy and the setting ${setting}.`)
}

const networkFaults: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known here',
  ECONNREFUSED: 'nothing listens there',
  EPROTO: 'it does not speak TLS there',
}

function reasonOf(error: unknown): string {
  // A host with several addresses fails with the errors of all.
  const code = failureReason(error instanceof AggregateError ? error.errors[0] : error)
  if (isOfCertificate(code)) return `its certificate is not trusted (${code})`
  return networkFaults[code] ?? `it cannot be reached (${code})`
}

const isOfCertificate = (reason: string) => /CERT|CRL|CHAIN|LEAF/.test(reason)

/**
 * Asks a web site for a page, once, and returns the status. Follows no redirect and reads no content. Trusts the authorities of Node
 * and of the system, like browsers.
 */
async function reachSite(url: URL, proxyEnv: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const ca = [...getCACertificates('bundled'), ...getCACertificates('system')]
  const request =
    url.protocol === 'https:'
      ? https.get(url, { signal, agent: new https.Agent({ proxyEnv }), ca })
      : http.get(url, { signal, agent: new http.Agent({ proxyEnv }) })
  request.on('error', () => undefined)
  const [response] = await once(request, 'response')
  response.on('error', () => undefined).destroy()
  return response.statusCode
}

function faultOf(error: unknown): string {
  const isKnown = error instanceof EngineError && error.fault === 'navigation'
  return isKnown ? error.message : 'It did not answer in time.'
}

/** Time that a check leaves unused, so that its finding is in time. In milliseconds. */
const spareMs = 500
/** Time for the browser to end, and for its files to be removed, in milliseconds. */
const closingMs = 2000

/**
 * Asks through the wrapper's browser, which knows the proxies, scripts, policies and certificates of the desktop. It has no window,
 * and opens the web app, as a start does: policies may allow that alone.
 */
async function reachByBrowser(url: URL, values: Settings, deadline: Deadline): Promise<BrowserAnswer> {
  const asking = deadline.atMost(Math.max(0, deadline.leftMs - closingMs))
  using limit = asking.limit(() => new Error('not in time'))
  const { signal } = limit
  const profileFolder = await mkdtemp(join(tmpdir(), 'service-link-doctor-'))
  const nothing = { userAgentSuffix: '', pageScript: 'send => undefined', allowedOrigins: [] }
  const app = readAppUrl(values.AppUrl) ?? url
  let window: EngineWindow | undefined
  try {
    const engine = selectWindowEngine(values, { isHeadless: true })
    window = await engine.open({ url: app.href, profileFolder, signal, ...nothing })
    const bounds = { maxBytes: 1, timeoutMs: asking.leftMs, signal }
    const answer = await window.fetchText?.(url.href, bounds)
    return answer ? { status: answer.status } : { unasked: 'The engine has no way to ask.' }
  } catch (error) {
    if (window) return { fault: faultOf(error) }
    return { unasked: error instanceof EngineError ? error.message : 'The browser did not start in time.' }
  } finally {
    // Whatever becomes of the browser, its answer stands, and is not kept waiting.
    const ended = endBrowser(window, profileFolder)
    await deadline.waitFor(ended, () => new Error('slow')).catch(() => undefined)
  }
}

async function endBrowser(window: EngineWindow | undefined, profileFolder: string): Promise<void> {
  await window?.close().catch(() => undefined)
  await rm(profileFolder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
}
