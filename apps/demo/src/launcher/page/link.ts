import * as base64url from 'jose/base64url'
import { type Launch, type LauncherFacts, launchSchema, startLaunch } from '../launch.ts'
import { t } from './texts.ts'

/** Longest fragment that is read, in characters. */
const maxLength = 128 * 1024

/** The fragment of a link that reproduces a launch: what differs from the start. Browsers send no fragment to a server. */
export function fragmentOf(launch: Launch, facts: LauncherFacts): string {
  const start: object = startLaunch(facts)
  const changed = Object.entries(launch).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(start, name)),
  )
  return changed.length === 0 ? '' : `#${base64url.encode(JSON.stringify(Object.fromEntries(changed)))}`
}

/**
 * Reads {@link fragmentOf}. Anybody may have written the link: members that are unknown or that the schema refuses are left out.
 *
 * @returns the launch, and as a sentence what was left out
 */
export function launchOfFragment(
  fragment: string,
  facts: LauncherFacts,
): { readonly launch: Launch; readonly problem: string | undefined } {
  const launch = startLaunch(facts)
  if (fragment.length <= 1) return { launch, problem: undefined }
  const given = readMembers(fragment.slice(1))
  if (!given) return { launch, problem: t('problems.link') }
  const { error } = launchSchema.safeParse({ ...launch, ...given })
  const refused = new Set(
    error?.issues.flatMap(issue =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : issue.path[0],
    ),
  )
  const kept = Object.entries(given).filter(([name]) => !refused.has(name))
  return {
    launch: launchSchema.parse({ ...launch, ...Object.fromEntries(kept) }),
    problem:
      refused.size === 0
        ? undefined
        : t('problems.linkParts', { names: [...refused].map(String).join(', ').slice(0, 200) }),
  }
}

function readMembers(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > maxLength) return undefined
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(base64url.decode(text)),
    )
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
