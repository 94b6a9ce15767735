import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { createChromiumEngine } from '@service-link/window-engine'
import { failureReason } from '../log/failure-reason.ts'
import { checkAppUrl } from '../settings/resolve-settings.ts'
import { updateFile } from '../update/offer-update.ts'
import {
  type DoctorChecks,
  type DoctorInput,
  type Finding,
  ok,
  problem,
  skipped,
  warning,
} from './doctor-check.ts'

async function service({ settings, environment }: DoctorInput, signal: AbortSignal): Promise<Finding> {
  const { values, application } = await settings()
  const appUrl = checkAppUrl(values.AppUrl, application.file)
  return checkSite(appUrl, 'AppUrl', { environment, signal, reachByBrowser })
}

async function updateSite({ settings, environment }: DoctorInput, signal: AbortSignal): Promise<Finding> {
  const { UpdateUrl, CheckForUpdates } = (await settings()).values
  if (!CheckForUpdates) return skipped('The setting CheckForUpdates is off.')
  const site = URL.parse(UpdateUrl)
  if (!site) return skipped('The setting UpdateUrl names no site.')
  // The update check asks for this file. The site may have no page.
  const options = { environment, signal, reachByBrowser }
  return checkSite(updateFile(site, 'version.txt'), 'UpdateUrl', options)
}

export const siteChecks: DoctorChecks = { service, 'update-site': updateSite }

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy']

/** A slower answer is a warning. In milliseconds. */
const slowMs = 3000

interface CheckSiteOptions {
  /** Names proxies by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** Longest wait for the answer, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** Asks a site that does not answer once more, as window and update check do. Default: it is not asked. */
  readonly reachByBrowser?: ReachByBrowser
}

type ReachByBrowser = (url: URL, options: CheckSiteOptions) => Promise<boolean>

/** Asks a web site and judges its answer. Names only the origin, because path and query may hold credentials. */
export async function checkSite(url: URL, setting: string, options: CheckSiteOptions): Promise<Finding> {
  const { environment, timeoutMs = 5000, reachByBrowser } = options
  const variables = proxyVariables.filter(name => environment[name]).join(' and ')
  const answers = `${url.origin} answers${variables && ` (${variables} set)`}`
  const timeout = AbortSignal.timeout(timeoutMs)
  const startedAt = performance.now()
  try {
    const status = await reachSite(url, environment, AbortSignal.any([options.signal, timeout]))
    const tookMs = Math.round(performance.now() - startedAt)
    const sentence = `${answers} with status ${status} after ${tookMs} ms.`
    if (status >= 500) return problem(sentence, 'The service has a fault: ask its operator.')
    if (status >= 400) return problem(sentence, `Check the setting ${setting}, and the proxy.`)
    return tookMs > slowMs ? warning(sentence, 'Find out why the network is slow.') : ok(sentence)
  } catch (error) {
    const reason = timeout.aborted ? `not within ${timeoutMs / 1000} seconds` : reasonOf(error)
    if (await reachByBrowser?.(url, options))
      return ok(
        `${url.origin} answers the browser, as it must. Without the browser’s proxy or certificates it does not: ${reason}.`,
      )
    const remedy = isOfCertificate(reason)
      ? 'Check the clock of this machine. Have the certificate renewed, or its authority installed in this machine’s store.'
      : `Check the network, the proxy and the setting ${setting}.`
    return problem(`${answers.replace(' answers', ' does not answer')}: ${reason}.`, remedy)
  }
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

/** Longest wait for the browser's answer, in milliseconds. All checks have ten seconds. */
const browserMs = 4000

/** Asks through a browser without a window, which knows the proxies, scripts, policies and certificates of the desktop. */
async function reachByBrowser(url: URL, { environment, signal }: CheckSiteOptions): Promise<boolean> {
  const engine = createChromiumEngine({ isHeadless: true, environment, startTimeoutMs: browserMs })
  const profileFolder = await mkdtemp(join(tmpdir(), 'doctor-'))
  try {
    const nothing = { userAgentSuffix: '', pageScript: 'send => undefined', allowedOrigins: [] }
    await using window = await engine.open({ url: nowhere, profileFolder, signal, ...nothing })
    return await window.canReach(url.href, { timeoutMs: browserMs, signal })
  } catch {
    return false
  } finally {
    await rm(profileFolder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

/** The browser refuses this port, so the window loads nothing. */
const nowhere = 'http://127.0.0.1:1/'
