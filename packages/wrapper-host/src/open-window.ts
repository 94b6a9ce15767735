import type { Brand, Settings } from '@service-link/protocol-core'
import type { Engine } from '@service-link/window-engine'
import { createBridge } from './bridge/create-bridge.ts'
import { pageScript } from './bridge/page-script.ts'
import type { OpenedWindow } from './command/command-runner.ts'
import { ServiceWait } from './hosting/await-service.ts'
import { AppearanceKeeper, type AppearanceSettings, readAppearance } from './hosting/keep-appearance.ts'
import { SessionKeeper } from './hosting/keep-session.ts'
import { keepWindow } from './hosting/keep-window.ts'
import { NoticeBoard } from './hosting/notice-board.ts'
import { payloadUrl, postPayload } from './hosting/post-payload.ts'
import type { RecoveryLimits } from './hosting/recovery-limits.ts'
import { ReturnAddress } from './hosting/return-address.ts'
import { SignInState } from './hosting/sign-in-state.ts'
import { SignOnRefusedError } from './hosting/sign-on-refused-error.ts'
import { SignOnUnreachableError } from './hosting/sign-on-unreachable-error.ts'
import { followPageSignOut, signOut } from './hosting/sign-out.ts'
import { watchConnection } from './hosting/watch-connection.ts'
import { PageWatch } from './hosting/watch-page.ts'
import type { ReportEvent } from './log/events.ts'
import { ResourceOwner } from './window/resource-owner.ts'
import type { WrapperTexts } from './window/texts.ts'

/** What {@link openWindow} puts together. */
export interface OpenWrapperWindowOptions {
  readonly engine: Engine
  readonly brand: Brand
  readonly version: string
  readonly settings: Settings
  readonly appUrl: URL
  /** Base of the partner link; its pages may talk to the host. */
  readonly ssoUrl: string
  readonly commandTimeoutMs: number
  /** Folder of the browser's profile; no other wrapper uses it meanwhile. */
  readonly profileFolder: string
  readonly texts: WrapperTexts
  readonly recovery?: RecoveryLimits | undefined
  readonly report: ReportEvent
  /** Writes the window's looks to the user's settings. */
  save(changes: AppearanceSettings): Promise<void>
  /** Aborts when the wrapper closes; gives the opening up. */
  readonly signal: AbortSignal
}

/** The web app in its window, and what keeps it there. */
export interface HostedWindow extends OpenedWindow, AsyncDisposable {
  readonly signIn: SignInState
  readonly notices: NoticeBoard
  /**
   * Ends the session of whoever is signed in, and loads the web app anew.
   *
   * @throws {EngineError} `gone` when the window is over before all was forgotten
   */
  signOut(by: 'tray' | 'integrator'): Promise<void>
}

/**
 * Opens the web app in a window, connects the bridge to it, and keeps it there: a page that crashes or hangs, an engine that is
 * lost and a service that is away are overcome.
 *
 * @throws {EngineError} when the engine does not start
 */
export async function openWindow(options: OpenWrapperWindowOptions): Promise<HostedWindow> {
  const owner = new ResourceOwner()
  try {
    return await hostWebApp(options, owner)
  } catch (error) {
    await owner[Symbol.asyncDispose]()
    throw error
  }
}

async function hostWebApp(options: OpenWrapperWindowOptions, owner: ResourceOwner): Promise<HostedWindow> {
  const { engine, version, settings, appUrl, texts, report, signal, recovery } = options
  const returnAddress = new ReturnAddress(appUrl.href)
  const session = owner.use(new SessionKeeper())
  const window = owner.use(
    await keepWindow({
      engine,
      window: describeWindow(options),
      returnAddress,
      session,
      report,
      losses: recovery?.losses,
    }),
  )
  const bridge = owner.use(
    createBridge(window, { info: { version, distributorName: settings.DistributorName }, report }),
  )
  const signIn = owner.use(new SignInState(bridge, { report }))
  session.watch({ window, bridge, signIn })
  // Closing the window minimises it only while somebody is signed in (specification 2.2, MinimizeOnExit).
  const followSignIn = () => window.setMinimiseOnClose(settings.MinimizeOnExit && signIn.isSignedIn)
  followSignIn()
  signIn.on('changed', followSignIn)

  owner.use(new ServiceWait(window, { texts, returnAddress, report }))
  const watch = owner.use(
    new PageWatch(window, { texts, returnAddress, report, isDebug: settings.Debug, pace: { ...recovery } }),
  )
  owner.use(watchConnection({ window, bridge, returnAddress }))
  owner.use(new AppearanceKeeper(window, { save: changes => options.save(changes), report }))
  const notices = owner.use(new NoticeBoard(window, report))
  const ends = { window, bridge, signIn, returnAddress, signal }
  let signingOut: Promise<void> | undefined
  const pageSignOut = owner.use(followPageSignOut(ends))

  return {
    window,
    bridge,
    signIn,
    notices,
    checkPage: () => watch.check(),
    signOut(by) {
      // A second one joins the first: whoever signs in right after that is none of its business.
      signingOut ??= signOut(by, ends).finally(() => {
        signingOut = undefined
      })
      return signingOut
    },
    async signOn(payload, signal) {
      const { ssoUrl, commandTimeoutMs: timeoutMs } = options
      // What a sign-out clears must not be the session that begins now.
      await Promise.all([pageSignOut.finish(), signingOut?.catch(() => undefined)])
      const isPageThere = bridge.state.isLoaded
      // The one who signs on may be another than the one whose session was kept.
      session.end()
      try {
        await postPayload(window, payload, { url: payloadUrl(ssoUrl), isPageThere, timeoutMs, signal })
      } catch (error) {
        session.resume()
        if (error instanceof SignOnRefusedError) {
          report({ type: 'sign-on-refused', status: error.status })
          notices.post({ text: texts.signOnRefused, dismissLabel: texts.noticeDismiss })
        }
        if (error instanceof SignOnUnreachableError)
          notices.post({ text: texts.signOnUnreachable, dismissLabel: texts.noticeDismiss })
        throw error
      }
    },
    [Symbol.asyncDispose]: () => owner[Symbol.asyncDispose](),
  }
}

function describeWindow({
  brand,
  version,
  settings,
  appUrl,
  ssoUrl,
  profileFolder,
  signal,
}: OpenWrapperWindowOptions) {
  const ssoOrigin = URL.parse(ssoUrl)?.origin
  const origins = [appUrl.origin, ...(ssoOrigin ? [ssoOrigin] : []), ...settings.SignInOrigins]
  return {
    url: appUrl.href,
    profileFolder,
    userAgentSuffix: userAgentSuffix(brand, version, settings.DistributorName),
    pageScript: pageScript(),
    allowedOrigins: [...new Set(origins)],
    isDebug: settings.Debug,
    signal,
    ...readAppearance(settings),
  }
}

/** `Service.Client.WebWrapper/3.0.0.0 (Distributor)`, with what a header may carry. */
function userAgentSuffix(brand: Brand, version: string, distributorName: string): string {
  const distributor = distributorName.replaceAll(/[^\x20-\x7e]|[()]/g, '').trim()
  return `${brand.application}/${version}${distributor ? ` (${distributor})` : ''}`
}
