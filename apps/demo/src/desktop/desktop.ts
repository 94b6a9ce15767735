import { hasDisplay, startDisplay } from '@service-link/test-kit/display'
import { eventually } from '../demo/waits.ts'

export type Desktop = NonNullable<Awaited<ReturnType<typeof startDesktop>>>

/** Starts a virtual screen and a window manager; `undefined` without Xvfb, openbox or xdotool. */
export async function startDesktop(size?: string) {
  if (!hasDisplay) return undefined
  const { xdotool, environment, ...display } = await startDisplay(size)
  return {
    ...display,
    environment: { DISPLAY: environment.DISPLAY },
    xdotool,
    /** Whether a window with this title is on the screen. */
    async shows(title: string) {
      return (await xdotool('search', '--onlyvisible', '--name', literal(title)).catch(() => '')) !== ''
    },
    async isInFront(title: string) {
      return (await xdotool('getactivewindow', 'getwindowname').catch(() => '')).includes(title)
    },
    async activate(name: string) {
      // xdotool fails if a window closes during its search.
      await eventually(`The window “${name}”`, () =>
        xdotool('search', '--onlyvisible', '--name', name, 'windowactivate', '--sync').catch(() => undefined),
      )
    },
    async closeActive() {
      // The default key of openbox for closing a window, as its close button does.
      await xdotool('key', '--clearmodifiers', 'alt+F4')
    },
  }
}

/** A title as a pattern of xdotool. */
const literal = (title: string) => title.replace(/[^\p{L}\d ]/gu, '.')
