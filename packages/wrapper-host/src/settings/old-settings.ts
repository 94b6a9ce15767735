import type { Settings } from '@service-link/protocol-core'

/** Settings of older wrappers whose values a setting of ours takes. */
interface OldSettings {
  readonly names: readonly string[]
  /**
   * @param texts a text for each name, empty for a missing one
   * @returns the text of our setting, which may refuse it; nothing for an old default that left the choice to the machine
   */
  translate(...texts: readonly string[]): string | undefined
}

/** Windows puts minimized windows there. */
const minimisedLeft = -32_000

/** By the setting that takes their values. */
export const oldSettings: Readonly<Record<string, OldSettings | undefined>> = {
  WindowPlacement: {
    names: ['Left', 'Top', 'Width', 'Height'],
    translate(...texts) {
      const placement = texts.map(text => (text === '' ? text : Math.round(Number(text)))).join(',')
      return placement === '0,0,1024,768' || Number(texts[0]) <= minimisedLeft ? undefined : placement
    },
  },
  Zoom: {
    names: ['ZoomFactor'],
    translate: (factor = '') => String(Math.round(Number(factor) * 1000) / 1000),
  },
  LogLevel: {
    names: ['Log'],
    translate: (isOn = '') => (/^false$/i.test(isOn) ? undefined : isOn.replace(/^true$/i, 'debug')),
  },
} satisfies Partial<Record<keyof Settings, OldSettings>>

/** Names the folder of the installers below the site of updates. */
export const updatePathName = 'UpdatePath'

/** Names of all settings of older wrappers that have an effect. */
export const oldNames: readonly string[] = [
  updatePathName,
  ...Object.values(oldSettings).flatMap(setting => setting?.names ?? []),
]

/** Adds the folder of the setting `UpdatePath` to an update site. Returns nothing when the text is no folder below the site. */
export function belowSite(site: string, path: string): string | undefined {
  const folder = path.replaceAll('\\', '/').replace(/^\/+|\/+$/g, '')
  const url = URL.parse(site)
  if (!url || folder === '') return site
  if (!/^\w[\w.-]*(\/\w[\w.-]*)*$/.test(folder)) return undefined
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${folder}`
  return url.href
}
