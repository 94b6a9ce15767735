import { explainPayload } from '@service-link/jwt-payload'
import { parseResponse } from 'hono/client'
import { ask, type Registered } from '../ask.ts'
import { type Launch, type LauncherFacts, tokenParts } from '../launch.ts'
import { plainRegistration, presets } from '../presets.ts'
import { isForm } from '../request.ts'
import { keyOf, type LaunchKey, type TypedKeys } from './keys.ts'
import { t } from './texts.ts'

const policyOf = ({ preset }: Launch) => ({
  ...plainRegistration,
  ...(preset && presets[preset].registration),
})

/** Registrations of this page's own keys, by what was registered. */
const ownRegistrations = new Map<string, Registered>()

/** The registration of the launch's own key. It is made here if the launch wants it and is posted now. */
async function registrationOf(launch: Launch, { publicText }: LaunchKey, isPosted: boolean) {
  const { issuer } = launch
  if (!launch.isRegistered || publicText === undefined) return undefined
  const { keySetUrl, ...policy } = policyOf(launch)
  const json = { ...policy, key: keySetUrl || publicText, kid: '', issuer }
  const name = JSON.stringify(json)
  if (isPosted && !ownRegistrations.has(name))
    ownRegistrations.set(name, await parseResponse(ask.launcher.register.$post({ json })))
  return ownRegistrations.get(name)
}

/** Stands for the name that the registration gives, until it is made. */
const laterIssuer = 'https://launcher.example'

/** A signed launch, with the checks that its service makes. */
export type SignedLaunch = Awaited<ReturnType<typeof signLaunch>>

/**
 * Signs a launch and explains its token. For a post it first registers the launch's own key, if the launch wants that.
 *
 * @throws {KeyImportError} for a typed key that cannot be used
 */
export async function signLaunch(launch: Launch, typed: TypedKeys, facts: LauncherFacts, isPosted = false) {
  const key = await keyOf(launch, typed, facts)
  const registered = await registrationOf(launch, key, isPosted)
  const isJournal = key.publicText === undefined
  const issuer = isJournal
    ? facts.issuer
    : (registered?.issuer ?? (launch.isRegistered ? laterIssuer : undefined))
  const parts = tokenParts(launch, { keyId: key.keyId, issuer })
  const token = await key.sign(parts)
  const isOurs = launch.address === facts.address
  const isKnown = isOurs && (isJournal || registered !== undefined)
  const { isActive, repeatable } = policyOf(launch)
  const checks = await explainPayload(token, {
    keys: key.verification,
    audience: launch.address,
    ...(isOurs && { receiver: facts.receiver }),
    sources: [key.source],
    ...(isKnown && issuer !== undefined
      ? { issuer, policy: 'strict', registration: { isActive, repeatable } }
      : {}),
  })
  return {
    key,
    /** Names of the key's registration. */
    keyId: key.keyId,
    issuer: launch.issuer || issuer,
    parts,
    token,
    checks,
    /** Whether it goes to the demo's own service, which tells what it answers. */
    isOurs,
    /** What the checks cannot know here. */
    limit: limitOf(launch, isOurs, isKnown),
  }
}

function limitOf(launch: Launch, isOurs: boolean, isKnown: boolean): string | undefined {
  const { preset, isRegistered } = launch
  const limits = []
  if (!isOurs) limits.push(t('verdict.elsewhere'))
  else if (!isKnown) limits.push(t(isRegistered ? 'verdict.registeredLater' : 'verdict.unregistered'))
  if (preset && presets[preset].send) limits.push(t('verdict.tokenAlone'))
  if (!isForm(launch)) limits.push(t('verdict.calledDirectly'))
  return limits.length > 0 ? limits.join(' ') : undefined
}
