import { isSea } from 'node:sea'
import { quoteWindowsCommandLine } from '@service-link/cli-args'
import type { Brand, Settings } from '@service-link/protocol-core'
import type { Engine, WindowIdentity, WindowNotice } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import type { DebugLog } from '../log/exchange-log.ts'
import type { LoadedTexts } from '../texts/wrapper-texts.ts'
import { neutralPicture, packedIcon } from '../window/brand-icon.ts'
import { AppearanceKeeper, type AppearanceSettings, readAppearance } from '../window/keep-appearance.ts'
import { keepWindow, type SessionWindow } from '../window/keep-window.ts'
import type { ResourceOwner } from '../window/resource-owner.ts'
import { ReturnAddress } from '../window/return-address.ts'
import { Bridge } from './bridge.ts'
import type { HostInfo, LaunchParameters } from './page/messages.ts'
import { pageScript } from './page-script.ts'
import { payloadUrl, postPayload, SignOnRefusedError, SignOnUnreachableError } from './sign-on.ts'
import { followPageSignOut, signOut, signOutAtLast, UnsavedKeeper } from './sign-out.ts'
import { SessionKeeper, SignInState } from './user-session.ts'
import { ConnectionWatch } from './watch-connection.ts'
import { PageWatch } from './watch-page.ts'
import { ServiceWait } from './watch-service.ts'

interface OpenWebAppOptions {
  readonly engine: Engine
  readonly brand: Brand
  readonly version: string
  readonly settings: Settings
  readonly appUrl: URL
  /** Base of the partner link; its pages may talk to the host. */
  readonly ssoUrl: string
  readonly commandTimeoutMs: number
  /** Folder for the browser's profiles. No other wrapper may use it meanwhile. */
  readonly profileFolder: string
  readonly texts: LoadedTexts
  readonly report: ReportEvent
  readonly launchParameters: LaunchParameters
  /** Command that starts the wrapper again. Default: the window cannot be pinned as it. */
  readonly installedAs?: readonly string[] | undefined
  readonly log: DebugLog
  save(changes: AppearanceSettings): Promise<void>
  readonly signal: AbortSignal
}

/** The web app in its window, with everything that keeps it there. */
export interface HostedWindow {
  readonly window: SessionWindow
  readonly bridge: Bridge
  /** Who is signed in; not the user of a page that is being signed out. */
  readonly signIn: SignInState
  /** Shows a notice in place of the present one. `onFollow` is called when the user follows it. */
  postNotice(notice: WindowNotice, onFollow?: () => void): void
  /** Restarts a page that no longer answers. Call it when a command has timed out. Returns whether the page is restarted. */
  checkPage(): Promise<boolean>
  /**
   * Signs the employee on with a signed payload, and waits for the page of that session.
   *
   * @returns whether it came; else the page and its user stay
   * @throws {SignOnRefusedError} when the service refuses
   * @throws {SignOnUnreachableError} when it cannot be reached for 5 minutes
   * @throws {EngineError} when the payload cannot be posted
   */
  signOn(payload: string, signal: AbortSignal): Promise<boolean>
  /**
   * Ends the session of the signed-in user, and loads the web app anew.
   *
   * @throws {EngineError} `gone` when the window ends before the session's data is removed
   */
  signOut(by: 'tray' | 'integrator' | 'pipe'): Promise<void>
  /** Ends the session at the service, before the disposal. Never rejects. */
  signOutAtLast(): Promise<void>
}

/**
 * Opens the web app in a window and connects the bridge. A page that crashes or hangs, a lost engine and an absent service are
 * overcome. The owner gets all parts, also those that stand when a later one fails.
 */
export async function openWebApp(options: OpenWebAppOptions, owner: ResourceOwner): Promise<HostedWindow> {
  const { engine, version, settings, appUrl, texts, report, signal } = options
  const returnAddress = new ReturnAddress(appUrl.href)
  const session = owner.use(new SessionKeeper())
  const described = describeWindow(options)
  const window = owner.use(await keepWindow({ engine, window: described, returnAddress, session, report }))
  let launchParameters: LaunchParameters = { ...ownCulture(settings), ...options.launchParameters }
  const info: HostInfo = {
    version,
    distributorName: settings.DistributorName,
    get launchParameters() {
      return launchParameters
    },
  }
  const bridge = owner.use(new Bridge(window, { info, report, log: options.log }))
  const signIn = owner.use(new SignInState(bridge, { report }))
  // The launch was for that user only.
  signIn.on('changed', ({ isSignedIn }) => {
    if (!isSignedIn) launchParameters = ownCulture(settings)
  })
  session.watch({ window, bridge, signIn })
  // Closing the window minimizes it only while somebody is signed in (spec 2.2, MinimizeOnExit).
  const followSignIn = () => window.setMinimiseOnClose(settings.MinimizeOnExit && signIn.isSignedIn)
  followSignIn()
  signIn.on('changed', followSignIn)

  const watched = { texts, returnAddress, report }
  owner.use(new ServiceWait(window, watched))
  const watch = owner.use(new PageWatch(window, { ...watched, isDebug: settings.Debug }))
  const { commandTimeoutMs: timeoutMs } = options
  owner.use(new ConnectionWatch(window, { bridge, origin: appUrl.origin, timeoutMs, report }))
  owner.use(new AppearanceKeeper(window, { save: changes => options.save(changes), report }))
  let follow: (() => void) | undefined
  window.on('noticeAction', ({ action }) => action === 'follow' && follow?.())
  const postNotice: HostedWindow['postNotice'] = (notice, onFollow) => {
    follow = onFollow
    // The window is opened anew, with the notice, or has ended.
    window.setNotice(notice).catch(() => undefined)
  }
  const unsaved = new UnsavedKeeper(report)
  bridge.on('signedIn', ({ user }) => void unsaved.giveBack(bridge, user))
  const ends = { window, bridge, signIn, returnAddress, unsaved, signal }
  const pageSignOut = owner.use(followPageSignOut(ends))
  let signingOut: Promise<void> | undefined

  return {
    window,
    bridge,
    signIn,
    postNotice,
    checkPage: () => watch.check(),
    signOut(by) {
      // A second call joins the first. It must not sign out the next user.
      signingOut ??= signOut(by, ends).finally(() => {
        signingOut = undefined
      })
      return signingOut
    },
    signOutAtLast: () => signOutAtLast(ends, signingOut),
    async signOn(payload, signal) {
      const { ssoUrl } = options
      // A sign-out must not remove the data of the new session.
      await Promise.all([pageSignOut.finish(), signingOut?.catch(() => undefined)])
      const isPageThere = bridge.state.isLoaded
      // The kept session may belong to another user.
      session.end()
      try {
        const url = payloadUrl(ssoUrl)
        const isReplaced = await postPayload(window, payload, { url, isPageThere, timeoutMs, signal })
        if (isReplaced) signIn.expect()
        return isReplaced
      } catch (error) {
        session.resume()
        if (error instanceof SignOnRefusedError) {
          report({ type: 'sign-on-refused', status: error.status })
          postNotice({ text: texts.signOnRefused, dismissLabel: texts.noticeDismiss })
        }
        if (error instanceof SignOnUnreachableError)
          postNotice({ text: texts.signOnUnreachable, dismissLabel: texts.noticeDismiss })
        throw error
      }
    },
  }
}

function describeWindow({
  brand,
  version,
  settings,
  appUrl,
  ssoUrl,
  profileFolder,
  installedAs,
  signal,
}: OpenWebAppOptions) {
  const ssoOrigin = URL.parse(ssoUrl)?.origin
  const origins = [appUrl.origin, ...(ssoOrigin ? [ssoOrigin] : []), ...settings.SignInOrigins]
  return {
    url: appUrl.href,
    profileFolder,
    userAgentSuffix: userAgentSuffix(brand, version, settings.DistributorName),
    ...(settings.Culture ? { languages: withParents(settings.Culture) } : {}),
    look: { color: brand.color, picture: packedIcon() ?? neutralPicture() },
    identity: identityOf(brand, installedAs),
    pageScript: pageScript(),
    allowedOrigins: [...new Set(origins)],
    isDebug: settings.Debug,
    isKiosk: settings.Kiosk,
    signal,
    ...readAppearance(settings),
  }
}

/** The packed executable has the brand's icons as its first ones. */
function identityOf({ applicationId, displayName }: Brand, command?: readonly string[]): WindowIdentity {
  return {
    id: applicationId,
    name: displayName,
    ...(command ? { command: quoteWindowsCommandLine(command) } : {}),
    ...(isSea() ? { iconResource: `${process.execPath},-1` } : {}),
  }
}

/** `Service.Client.WebWrapper/3.0.0.0 (Distributor)`, with characters that a header may hold. */
function userAgentSuffix(brand: Brand, version: string, distributorName: string): string {
  const distributor = distributorName.replaceAll(/[^\x20-\x7e]|[()]/g, '').trim()
  return `${brand.application}/${version}${distributor ? ` (${distributor})` : ''}`
}

function ownCulture({ Culture: culture }: Settings): LaunchParameters {
  return culture ? { culture } : {}
}

/** A language tag without extensions, then its parents: `zh-Hant-TW`, `zh-Hant`, `zh`. Services rarely know the region. */
function withParents(culture: string): readonly string[] {
  const parts = new Intl.Locale(culture).baseName.split('-')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'))
}
