import type { OpenExternal } from '../open-external.ts'
import { isWebAddress } from '../web-address.ts'
import type { ElectronWebContents } from './electron-api.ts'

/** What {@link guardNavigation} keeps to. */
export interface NavigationRules {
  readonly allowedOrigins: readonly string[]
  readonly openExternal: OpenExternal
  /** Whether the page shown is one of an allowed origin: a sign-in's pages have links to each other. */
  isApp(): boolean
}

/** Links of the web app that lead outside go to the user's own browser; what it opens for itself comes into the one window. */
export function guardNavigation(contents: ElectronWebContents, rules: NavigationRules): void {
  const { allowedOrigins, openExternal } = rules
  const isOurs = (url: string) => allowedOrigins.includes(URL.parse(url)?.origin ?? '')
  contents.setWindowOpenHandler(({ url }) => {
    if (isOurs(url)) contents.loadURL(url).catch(() => undefined)
    else if (isWebAddress(url)) openExternal(url)
    return { action: 'deny' }
  })
  contents.on('will-navigate', event => {
    if (!rules.isApp() || isOurs(event.url)) return
    event.preventDefault()
    if (isWebAddress(event.url)) openExternal(event.url)
  })
}
