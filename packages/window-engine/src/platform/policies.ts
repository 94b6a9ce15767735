import { contentStrength, type PatternStrength, urlStrength } from './policy-patterns.ts'

/** What a browser does under a policy that keeps the wrapper from working: how the policy shows. */
export type PolicySign =
  | 'no-driving'
  | 'no-tools'
  | 'sign-in'
  | 'no-headless'
  | 'other-profile'
  | 'no-address'
  | 'no-scripts'
  | 'no-cookies'

/** A value in force, as the system stores it: a flag is also 0 or 1, a list may come in any order. */
export type PolicyValue = boolean | number | string | readonly string[]

/** A policy of a browser. */
export interface Policy {
  readonly name: string
  readonly value: PolicyValue
  /** File or registry key, for the administrators. */
  readonly place: string
}

/** Facts on which some policies depend. */
export interface PolicyCircumstances {
  /** Address of the web app. Without it only patterns for all addresses count. */
  readonly url?: string | undefined
  readonly isHeadless?: boolean | undefined
}

/** One row of {@link policyTable}. */
interface PolicyRow {
  readonly sign: PolicySign
  /** Values that keep the wrapper from working, for people. */
  readonly values: string
  readonly forbids: (value: PolicyValue, circumstances: PolicyCircumstances) => boolean
  /** For administrators. */
  readonly remedy: string
  /** Policies with lists of addresses that it does not hold for. */
  readonly exceptions?: readonly string[]
  /** The one of {@link exceptions} that counts only if it is stronger. */
  readonly yieldsAtTie?: string
  /** How its lists name addresses. Default: {@link urlStrength}. */
  readonly strength?: PatternStrength
  /** A list beside which it forbids nothing. */
  readonly givesWayTo?: string
  /** Whether it also holds for the addresses of {@link ownAddresses}. Default: for the web app's alone. */
  readonly holdsForOwn?: boolean
}

const isOff = (value: PolicyValue) => value === false || value === 0
const isOn = (value: PolicyValue) => value === true || value === 1
const is = (number: number) => (value: PolicyValue) => value === number
const isFilled = (value: PolicyValue): value is readonly string[] => Array.isArray(value) && value.length > 0
const names =
  (strength: PatternStrength) =>
  (value: PolicyValue, { url }: PolicyCircumstances) =>
    strengthFor(url, value, strength) >= 0
const blocksTools = (value: PolicyValue, { url }: PolicyCircumstances) =>
  [url, ...ownAddresses(url)].some(address => strengthFor(address, value, urlStrength) >= 0)

/** What the window shows before and beside the web app: its host at another port, and a page of the wrapper's own. */
function ownAddresses(url: string | undefined): readonly string[] {
  const app = URL.parse(url ?? '')
  return app ? [`${app.protocol}//${app.hostname}:1/`, 'about:blank'] : []
}

/** What has to be on a list of addresses with developer tools. */
const toolAddresses = 'about:* and the hosts of the web app and its sign-in, without ports,'

/** Policies that keep a browser from drawing the wrapper's window: the source of messages, `doctor`, tests and the guide. */
export const policyTable: Readonly<Record<string, PolicyRow>> = {
  RemoteDebuggingAllowed: {
    sign: 'no-driving',
    values: 'false',
    forbids: isOff,
    remedy: 'Set it to true, or remove it.',
  },
  DeveloperToolsAvailability: {
    sign: 'no-tools',
    values: '2',
    forbids: is(2),
    remedy: `Set it to 1 or 0. Or add ${toolAddresses} to DeveloperToolsAvailabilityAllowlist.`,
    exceptions: ['DeveloperToolsAvailabilityAllowlist'],
    holdsForOwn: true,
  },
  DeveloperToolsAvailabilityBlocklist: {
    sign: 'no-tools',
    values: '*, or the web app',
    forbids: blocksTools,
    remedy: `Take the entry that matches the web app out of it. Or add ${toolAddresses} to DeveloperToolsAvailabilityAllowlist.`,
    exceptions: ['DeveloperToolsAvailabilityAllowlist'],
    holdsForOwn: true,
  },
  DeveloperToolsAvailabilityAllowlist: {
    sign: 'no-tools',
    values: 'a list without the web app, and no DeveloperToolsAvailabilityBlocklist',
    forbids: (value, { url }) => url !== undefined && isFilled(value),
    remedy: `Add ${toolAddresses} to it.`,
    exceptions: ['DeveloperToolsAvailabilityAllowlist'],
    givesWayTo: 'DeveloperToolsAvailabilityBlocklist',
    holdsForOwn: true,
  },
  BrowserSignin: {
    sign: 'sign-in',
    values: '2',
    forbids: is(2),
    remedy: 'Set it to 1 or 0.',
  },
  ForceBrowserSignin: {
    sign: 'sign-in',
    values: 'true',
    forbids: isOn,
    remedy: 'Set it to false, or remove it.',
  },
  HeadlessMode: {
    sign: 'no-headless',
    values: '2',
    forbids: (value, { isHeadless = false }) => isHeadless && value === 2,
    remedy: 'Set it to 1, or BrowserEngine to an engine with a window.',
  },
  UserDataDir: {
    sign: 'other-profile',
    values: 'any folder',
    forbids: value => typeof value === 'string' && value !== '',
    remedy: 'Remove it.',
  },
  URLBlocklist: {
    sign: 'no-address',
    values: '*, or the web app',
    forbids: names(urlStrength),
    remedy: 'Add the address of the web app and those of its sign-in to URLAllowlist.',
    exceptions: ['URLAllowlist'],
  },
  DefaultJavaScriptSetting: {
    sign: 'no-scripts',
    values: '2',
    forbids: is(2),
    remedy: 'Add the address of the web app to JavaScriptAllowedForUrls.',
    exceptions: ['JavaScriptAllowedForUrls'],
    strength: contentStrength,
  },
  JavaScriptBlockedForUrls: {
    sign: 'no-scripts',
    values: 'the web app',
    forbids: names(contentStrength),
    remedy: 'Take the entry that matches the web app out of it.',
    exceptions: ['JavaScriptAllowedForUrls'],
    yieldsAtTie: 'JavaScriptAllowedForUrls',
    strength: contentStrength,
  },
  DefaultCookiesSetting: {
    sign: 'no-cookies',
    values: '2',
    forbids: is(2),
    remedy: 'Add the address of the web app to CookiesAllowedForUrls.',
    exceptions: ['CookiesAllowedForUrls', 'CookiesSessionOnlyForUrls'],
    strength: contentStrength,
  },
  CookiesBlockedForUrls: {
    sign: 'no-cookies',
    values: 'the web app',
    forbids: names(contentStrength),
    remedy: 'Take the entry that matches the web app out of it.',
    exceptions: ['CookiesAllowedForUrls', 'CookiesSessionOnlyForUrls'],
    yieldsAtTie: 'CookiesAllowedForUrls',
    strength: contentStrength,
  },
}

/** What the browser did, as a sentence. */
const signs: Readonly<Record<PolicySign, string>> = {
  'no-driving': 'The browser lets no program drive it.',
  'no-tools': 'The browser lets no program drive this page.',
  'sign-in': 'The browser shows no page before its user has signed in to it.',
  'no-headless': 'The browser does not run without a window.',
  'other-profile': 'The browser keeps its data in another folder than it was given, where it would stay.',
  'no-address': 'The browser does not open the address of the web app.',
  'no-scripts': 'The browser runs no script of the web app.',
  'no-cookies': 'The browser keeps no cookie of the web app, so nobody could sign in.',
}

/** A policy that keeps a browser from drawing the window. */
export interface PolicyProblem extends Policy {
  readonly sign: PolicySign
  readonly remedy: string
}

/** Finds the policies that keep a browser from drawing the window, in the order of the table. */
export function findPolicyProblems(
  policies: readonly Policy[],
  circumstances: PolicyCircumstances,
): readonly PolicyProblem[] {
  const find = (wanted: string) => policies.find(({ name }) => name === wanted)
  return Object.entries(policyTable).flatMap(([name, row]) => {
    const policy = find(name)
    if (policy === undefined || !row.forbids(policy.value, circumstances)) return []
    const {
      sign,
      remedy,
      exceptions = [],
      givesWayTo = '',
      holdsForOwn = false,
      yieldsAtTie = '',
      strength = urlStrength,
    } = row
    if (isFilled(find(givesWayTo)?.value ?? [])) return []
    const blocked = isFilled(policy.value) && !exceptions.includes(name) ? policy.value : ['*']
    const { url } = circumstances
    const isExcepted = (address: string) =>
      exceptions.some(exception => {
        const lead =
          strengthFor(address, find(exception)?.value ?? [], strength) -
          strengthFor(address, blocked, strength)
        return exception === yieldsAtTie ? lead > 0 : lead >= 0
      })
    const addresses = url === undefined ? [] : [url, ...(holdsForOwn ? ownAddresses(url) : [])]
    if (addresses.length > 0 && addresses.every(isExcepted)) return []
    return [{ ...policy, sign, remedy }]
  })
}

/** Says what the browser did, or would do, and by which policies. */
export function describeSign(sign: PolicySign, problems: readonly PolicyProblem[]): string {
  const causes = problems.filter(problem => problem.sign === sign)
  if (causes.length > 0)
    return [
      signs[sign],
      ...causes.map(({ name, place, remedy }) => `The policy ${name} (${place}) forbids it. ${remedy}`),
    ].join(' ')
  const known = Object.entries(policyTable).flatMap(([name, row]) => (row.sign === sign ? [name] : []))
  return `${signs[sign]} Look in chrome://policy for ${known.join(' and ')}, and have the administrators allow it.`
}

/** How strongly a list names an address: of two lists the stronger one counts. */
function strengthFor(address: string | undefined, value: PolicyValue, strength: PatternStrength): number {
  const patterns: readonly string[] = Array.isArray(value) ? value : []
  const url = URL.parse(address ?? '')
  return Math.max(-1, ...patterns.map(pattern => strength(pattern, url)))
}
