import { type ExplainedCheck, explainPayload } from '@service-link/jwt-payload'
import { parseResponse } from 'hono/client'
import { ask, type Registered } from '../../ask.ts'
import { type Launch, type LauncherFacts, plainSend, type TokenParts, tokenParts } from '../launch.ts'
import { keyOf, type LaunchKey, type TypedKeys } from './keys.ts'

/** Registrations of this page's own keys, by what was registered. */
const ownRegistrations = new Map<string, Registered>()

const nameOf = ({ registration, issuer }: Launch, text: string) =>
  JSON.stringify([text, issuer, registration])

function textToRegister({ registration }: Launch, { publicText }: LaunchKey): string | undefined {
  return registration && publicText !== undefined ? registration.keySetUrl || publicText : undefined
}

/** Registers the launch's own key, if the launch wants that and it is not yet done. */
export async function registerOwn(launch: Launch, key: LaunchKey): Promise<void> {
  const text = textToRegister(launch, key)
  if (text === undefined || !launch.registration || ownRegistrations.has(nameOf(launch, text))) return
  const { isActive, maxPostsPerMinute } = launch.registration
  const asked = { key: text, kid: '', issuer: launch.issuer, isActive, maxPostsPerMinute }
  ownRegistrations.set(
    nameOf(launch, text),
    await parseResponse(ask.launcher.register.$post({ json: asked })),
  )
}

/** A signed launch, with the checks that its service makes. */
export interface SignedLaunch {
  readonly key: LaunchKey
  readonly issuer: string | undefined
  readonly parts: TokenParts
  readonly token: string
  readonly checks: readonly ExplainedCheck[]
  /** What the checks cannot know here. */
  readonly limit: string | undefined
}

/**
 * Signs a launch and explains its token.
 *
 * @throws {KeyImportError} for a typed key that cannot be used
 */
export async function signLaunch(
  launch: Launch,
  typed: TypedKeys,
  facts: LauncherFacts,
): Promise<SignedLaunch> {
  const key = await keyOf(launch, typed, facts)
  const text = textToRegister(launch, key)
  const registered = text === undefined ? undefined : ownRegistrations.get(nameOf(launch, text))
  const isJournal = key.publicText === undefined
  const issuer = isJournal ? facts.issuer : registered?.issuer
  const parts = tokenParts(launch, { keyId: key.keyId, issuer })
  const token = await key.sign(parts)
  const isOurs = launch.address === facts.address
  const isKnown = isOurs && (isJournal || registered !== undefined)
  const checks = await explainPayload(token, {
    keys: key.verification,
    audience: launch.address,
    sources: [key.source],
    ...(isKnown && issuer !== undefined
      ? { issuer, registration: { isActive: launch.registration?.isActive ?? true } }
      : {}),
  })
  return {
    key,
    issuer: launch.issuer || issuer,
    parts,
    token,
    checks,
    limit: limitOf(launch, isOurs, isKnown),
  }
}

function limitOf({ send, registration }: Launch, isOurs: boolean, isKnown: boolean): string | undefined {
  const limits = []
  if (!isOurs)
    limits.push(
      'Another service: only it knows which keys, issuer and policy it has registered. The checks use the key above.',
    )
  else if (!isKnown)
    limits.push(
      registration
        ? 'The key is registered when you post. Until then the checks use it as if it were.'
        : 'The service does not know this key: register it above. The checks use it as if it were registered.',
    )
  if (JSON.stringify(send) !== JSON.stringify(plainSend))
    limits.push('These checks read the token alone. How it is sent, only the service sees.')
  return limits.length > 0 ? limits.join(' ') : undefined
}
