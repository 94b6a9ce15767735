import * as base64url from 'jose/base64url'
import { type Launch, type LauncherFacts, plainSend, startLaunch } from '../launch.ts'

/** The fragment of a link that reproduces a launch: what differs from the start. Browsers send no fragment to a server. */
export function fragmentOf(launch: Launch, facts: LauncherFacts): string {
  const start: object = startLaunch(facts)
  const changed = Object.entries(launch).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(start, name)),
  )
  return changed.length === 0 ? '' : `#${base64url.encode(JSON.stringify(Object.fromEntries(changed)))}`
}

/** Reads {@link fragmentOf}. Damaged fragments and members of another type are left out. */
export function launchOfFragment(fragment: string, facts: LauncherFacts): Launch {
  const start = startLaunch(facts)
  try {
    const given: object = Object(JSON.parse(new TextDecoder().decode(base64url.decode(fragment.slice(1)))))
    const isOfType = (value: unknown, before: unknown) =>
      before === undefined ||
      (value !== null && Array.isArray(value) === Array.isArray(before) && typeof value === typeof before)
    const known = Object.entries(given).filter(
      ([name, value]) => Object.hasOwn(start, name) && isOfType(value, Reflect.get(start, name)),
    )
    const launch: Launch = { ...start, ...Object.fromEntries(known) }
    return { ...launch, send: { ...plainSend, ...launch.send } }
  } catch {
    return start
  }
}
