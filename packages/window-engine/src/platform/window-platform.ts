import type { Policy } from './policies.ts'

/** Family of an installed browser. */
export type BrowserFamily = 'chrome' | 'edge' | 'chromium'

/** Where a browser may be installed. */
export interface BrowserPlace {
  readonly family: BrowserFamily
  /** Absolute path of the executable. */
  readonly executable: string
}

/** A program with its arguments, started without a shell. */
export interface ProgramCall {
  readonly file: string
  readonly args: readonly string[]
}

/** Content of a message box, as plain text. */
export interface Alert {
  readonly title: string
  readonly text: string
}

/** What the taskbar shows, groups and pins a window as. */
export interface WindowIdentity {
  /** Application id of Windows, and the window's class on X11: at most 128 characters without spaces. */
  readonly id: string
  readonly name: string
  /** Command line that starts the application again, without a launch's own arguments. Default: the window cannot be pinned as it. */
  readonly command?: string | undefined
  /** On Windows the icon of the pinned application, as `<file>,-<number>`. Default: the icon of the command's program. */
  readonly iconResource?: string | undefined
}

/**
 * A browser's window as the operating system knows it, which the browser lets no program command. The methods that return false do
 * nothing, because no window is there.
 */
export interface NativeWindow {
  /** A hidden window counts as minimized; `undefined` without a window. */
  state(): 'normal' | 'minimised' | undefined
  /** Takes it off screen and task bar, and off the list of windows. */
  hide(): boolean
  minimise(): boolean
  /** Shows it if it is hidden or minimized. */
  restore(): boolean
  /** Puts it in front of all windows, with the keyboard if the system allows. */
  raise(): void
  /** Makes the task bar take it for a window of an application, with its icon (icon file or PNG). */
  identify(identity: WindowIdentity, icon?: Uint8Array): void
}

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Everything about windows that differs between operating systems. */
export interface WindowPlatform {
  /** Name in user-agent client hints. */
  readonly name: string
  /** Usual places of browsers, the preferred ones first. They may not exist. */
  browserPlaces(environment: Environment): readonly BrowserPlace[]
  /** Reads the policies of a family of browsers; the first of a name is in force. Never rejects. */
  readPolicies(family: BrowserFamily): Promise<readonly Policy[]>
  /** Working directory for a browser; `undefined` for that of this process. */
  browserFolder(executable: string): string | undefined
  /** Variables for a browser: those given, with a folder of temporary files that it can use. */
  browserEnvironment(environment: Environment): Environment
  /** Why no window can be shown; `undefined` if one can. */
  displayProblem(environment: Environment): string | undefined
  /** The window of a browser's process. Absent, or `undefined`, where only the browser itself can command its window. */
  readonly nativeWindow?: ((pid: number) => NativeWindow | undefined) | undefined
  /** What the wrapper cannot do to its window here, and the remedy, as sentences; `undefined` if it can do all. */
  readonly nativeProblem?:
    | ((environment: Environment) => { readonly problem: string; readonly remedy: string } | undefined)
    | undefined
  /** Source of a browser's version: the executable's output, or the names of the folders beside it. */
  readonly versionSource: 'executable' | 'folder'
  /**
   * Program that shows a message box of the system, for at most ten minutes if the program has such an option. Returns
   * `undefined` if there is none; `environment`: further variables of the program.
   *
   * @param command starts this program again. It shows the box on Windows: see {@link showAlert}
   */
  alertCall(
    alert: Alert,
    environment: Environment,
    command?: readonly string[],
  ): (ProgramCall & { readonly environment?: Environment | undefined }) | undefined
  /** Shows the box of {@link alertCall} in a process that got {@link alertArgument}, and returns when it is closed. */
  readonly showAlert?: ((environment: Environment) => void) | undefined
  /** Opens an address in the user's browser without another program. Returns false where it cannot ask the system. */
  readonly openAddress?: ((url: string) => boolean) | undefined
  /** Program that opens an address in the user's browser, where {@link openAddress} cannot. */
  openerCall(url: string): ProgramCall
  /** Kills a process and its descendants. Does nothing when they are gone. */
  killTree(pid: number): void
  /** Kills the rest of a process group whose leader is gone, if the system has groups. */
  endGroup(pid: number): void
  /** Whether the process is root: Chromium then refuses to run in its sandbox. */
  isPrivileged(): boolean
  /** Makes this process one of an application, as notices of the system show it. Absent where there are no such names. */
  readonly identifyProcess?: ((applicationId: string) => void) | undefined
}

/** The one argument of a process of this program that only shows a message box. */
export const alertArgument = '--alert'

/** Longest time that a message box is shown, in seconds. */
export const alertSeconds = 600
