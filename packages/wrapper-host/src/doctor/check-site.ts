import { type Finding, ok, problem, warning } from './doctor-check.ts'
import { type ReachSiteOptions, reachSite } from './reach-site.ts'

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy']

/** Longer than this feels broken, in milliseconds. */
const slowMs = 3000

/**
 * Reaches a web site and judges its answer. Names its origin alone: path and query may hold credentials.
 *
 * @param setting name of the setting that holds the address, for the remedy
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
  if (answer.status >= 500) return problem(sentence, 'The service has a fault: ask whoever runs it.')
  if (answer.status >= 400) return problem(sentence, `Check the setting ${setting}, and the proxy.`)
  return answer.tookMs > slowMs ? warning(sentence, 'Look for what makes the network slow.') : ok(sentence)
}

function describeWay(environment: NodeJS.ProcessEnv): string {
  const set = proxyVariables.filter(name => environment[name])
  return set.length === 0 ? '' : ` (${set.join(' and ')} set)`
}
