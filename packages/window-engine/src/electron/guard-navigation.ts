import { readDevToolsEvent } from '../devtools/devtools-protocol.ts'
import { leadsOutside } from '../leads-outside.ts'
import type { OpenExternal } from '../open-external.ts'
import { isWebAddress } from '../web-address.ts'
import type { ElectronWebContents } from './electron-api.ts'

/** What {@link guardNavigation} keeps to. */
export interface NavigationRules {
  readonly allowedOrigins: readonly string[]
  readonly openExternal: OpenExternal
  readonly mainFrameId: string
  /** Whether the page shown is one of an allowed origin. */
  isApp(): boolean
}

/**
 * Links of the web app that lead outside go to the user's own browser (see `leads-outside.ts`); what it opens for itself comes
 * into the one window. Electron itself does not tell a link from a script or a form: the page does, by the protocol, on the
 * same way and just before.
 */
export function guardNavigation(contents: ElectronWebContents, rules: NavigationRules): void {
  const { allowedOrigins, openExternal, mainFrameId } = rules
  /** What the page has asked for last, if it was a link. */
  let followedLink: string | undefined
  contents.setWindowOpenHandler(({ url }) => {
    if (allowedOrigins.includes(URL.parse(url)?.origin ?? '')) contents.loadURL(url).catch(() => undefined)
    else if (isWebAddress(url)) openExternal(url)
    return { action: 'deny' }
  })
  contents.debugger.on('message', (_event, method, params) => {
    const event = readDevToolsEvent(method, params)
    if (event?.name !== 'Page.frameRequestedNavigation' || event.facts.frameId !== mainFrameId) return
    const { reason, disposition, url } = event.facts
    if (disposition === 'currentTab') followedLink = reason === 'anchorClick' ? url : undefined
  })
  contents.on('will-navigate', event => {
    const { url } = event
    const isFromApp = rules.isApp()
    if (leadsOutside({ url, isLink: url === followedLink, isFromApp }, allowedOrigins)) {
      event.preventDefault()
      openExternal(url)
    } else if (isFromApp && !isWebAddress(url)) {
      event.preventDefault()
    }
  })
}
