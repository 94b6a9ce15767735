/**
 * What tells the login sessions of a user on Linux apart: the display, because it is where the window is. `XDG_SESSION_ID` is
 * missing from programs that the user's service manager starts, so that one session would have two wrappers. The screen of a
 * display does not matter: `:0.0` is `:0`.
 *
 * @param environment of the process whose session is asked for
 * @returns an empty text when it has no display
 */
export function loginDisplay(environment: Readonly<Record<string, string | undefined>>): string {
  return environment.DISPLAY?.replace(/(:\d+)\.\d+$/, '$1') || environment.WAYLAND_DISPLAY || ''
}
