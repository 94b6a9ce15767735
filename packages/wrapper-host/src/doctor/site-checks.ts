import http from 'node:http'
import https from 'node:https'
import { getCACertificates } from 'node:tls'
import { failureReason } from '../log/failure-reason.ts'
import { checkAppUrl } from '../settings/resolve-settings.ts'
import { updateFile } from '../update/offer-update.ts'
import {
  type DoctorChecks,
  type DoctorContext,
  type Finding,
  ok,
  problem,
  skipped,
  warning,
} from './doctor-check.ts'

/** Checks the web app's server. */
async function service({ settings, environment }: DoctorContext, signal: AbortSignal): Promise<Finding> {
  const { values } = await settings()
  return checkSite(checkAppUrl(values.AppUrl), 'AppUrl', { environment, signal })
}

/** Checks the update site. */
async function updateSite({ settings, environment }: DoctorContext, signal: AbortSignal): Promise<Finding> {
  const { UpdateUrl, CheckForUpdates } = (await settings()).values
  if (!CheckForUpdates) return skipped('The setting CheckForUpdates is off.')
  const site = URL.parse(UpdateUrl)
  if (!site) return skipped('The setting UpdateUrl names no site.')
  // The update check asks for this file. The site may have no page.
  return checkSite(updateFile(site, 'version.txt'), 'UpdateUrl', { environment, signal })
}

/** The checks of the wrapper's web sites. */
export const siteChecks: DoctorChecks = { service, 'update-site': updateSite }

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy']

/** A slower answer is a warning. In milliseconds. */
const slowMs = 3000

/**
 * Asks a web site and judges its answer. Names only the origin, because path and query may hold credentials.
 *
 * @param setting name of the address's setting, for the remedy
 */
export async function checkSite(url: URL, setting: string, options: ReachSiteOptions): Promise<Finding> {
  const answer = await reachSite(url, options)
  const way = describeWay(options.environment)
  if (answer.kind === 'certificate')
    return problem(
      `${url.origin} is reached${way}, but ${answer.reason}.`,
      'Have the certificate renewed, or its authority installed in this machine’s store.',
    )
  if (answer.kind === 'unreachable')
    return problem(
      `${url.origin} does not answer${way}: ${answer.reason}.`,
      `Check the network, the proxy and the setting ${setting}.`,
    )
  const sentence = `${url.origin} answers${way} with status ${answer.status} after ${answer.tookMs} ms.`
  if (answer.status >= 500) return problem(sentence, 'The service has a fault: ask its operator.')
  if (answer.status >= 400) return problem(sentence, `Check the setting ${setting}, and the proxy.`)
  return answer.tookMs > slowMs ? warning(sentence, 'Find out why the network is slow.') : ok(sentence)
}

function describeWay(environment: NodeJS.ProcessEnv): string {
  const set = proxyVariables.filter(name => environment[name])
  return set.length === 0 ? '' : ` (${set.join(' and ')} set)`
}

/** The answer of a web site. */
export type SiteAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly tookMs: number }
  /** `certificate`: the site answers with an untrusted certificate. */
  | { readonly kind: 'certificate'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** Options of {@link reachSite}. */
export interface ReachSiteOptions {
  /** Names proxies by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** Longest wait for the answer, in milliseconds. Default 8,000. */
  readonly timeoutMs?: number
}

const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock of this machine is wrong',
  CERT_REVOKED: 'its certificate has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'this machine does not know the authority of its certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'this machine does not know the authority of its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'this machine does not know the authority of its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the server does not send the certificate of its authority, or this machine does not know it',
}

const networkFaults: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known here',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut off',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  EPROTO: 'it does not speak TLS there',
}

/**
 * Asks a web site for a page, once. Follows no redirect and reads no content. Trusts the authorities of Node and of the system, like
 * browsers. Never rejects.
 */
export function reachSite(url: URL, options: ReachSiteOptions): Promise<SiteAnswer> {
  const { environment, timeoutMs = 8000 } = options
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)])
  const startedAt = performance.now()
  return new Promise(resolve => {
    const request =
      url.protocol === 'https:'
        ? https.request(url, {
            signal,
            agent: new https.Agent({ proxyEnv: environment }),
            ca: [...getCACertificates('bundled'), ...getCACertificates('system')],
          })
        : http.request(url, { signal, agent: new http.Agent({ proxyEnv: environment }) })
    request.on('response', response => {
      const tookMs = Math.round(performance.now() - startedAt)
      resolve({ kind: 'answered', status: response.statusCode ?? 0, tookMs })
      response.on('error', () => undefined).destroy()
    })
    request.on('error', error => resolve(faultOf(error, signal, timeoutMs)))
    request.end()
  })
}

function faultOf(error: unknown, signal: AbortSignal, timeoutMs: number): SiteAnswer {
  if (signal.aborted)
    return { kind: 'unreachable', reason: `it did not answer within ${timeoutMs / 1000} seconds` }
  const code = codeOf(error)
  const certificate =
    certificateFaults[code] ??
    (/CERT|CRL|CHAIN/.test(code) ? `its certificate is not trusted (${code})` : undefined)
  if (certificate) return { kind: 'certificate', reason: certificate }
  return { kind: 'unreachable', reason: networkFaults[code] ?? `it cannot be reached (${code})` }
}

/** A host with several addresses fails with the errors of all. The first one counts. */
function codeOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return failureReason(first)
}
