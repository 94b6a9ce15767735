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

/** What a message box says; both are plain text. */
export interface Alert {
  readonly title: string
  readonly text: string
}

/** How long a message box stays at most, in seconds. */
export const alertSeconds = 600

/** What the platform tells web pages of itself (user-agent client hints). */
interface PlatformHints {
  readonly platform: string
  readonly platformVersion: string
}

/** Variables of the process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Everything about windows that differs between operating systems; one file implements it for each. */
export interface WindowPlatform {
  /** Where browsers are usually installed, the preferred ones first; not checked for existence. */
  browserPlaces(environment: Environment): readonly BrowserPlace[]
  /** Where the system itself says that browsers are, when there is none in the usual places; not checked for existence. */
  registeredBrowsers(environment: Environment): Promise<readonly BrowserPlace[]>
  /** Which policy forbids programs to drive this browser, where it is set, and what to do; `undefined` if there is none. */
  drivingProblem(executable: string, environment: Environment): Promise<string | undefined>
  /** Working directory of a browser, whose executable has this absolute path; `undefined` for that of this process. */
  browserFolder(executable: string): string | undefined
  /** Why no window can be shown here, or `undefined` when one can. */
  displayProblem(environment: Environment): string | undefined
  /** Source of an executable's version: its own output, or the folder names beside it. */
  readonly versionSource: 'executable' | 'folder'
  /**
   * Program that shows a message box of the system, where there is a screen; for ten minutes, where it can be told.
   *
   * @returns nothing where none is installed; `environment`: variables that it needs besides
   */
  alertCall(
    alert: Alert,
    environment: Environment,
  ): (ProgramCall & { readonly environment?: Environment }) | undefined
  /** Program that hands an address to the operating system. */
  openerCall(url: string): ProgramCall
  /** Ends a process and those it started, at once. Does nothing when they are gone. */
  killTree(pid: number): void
  /** Ends the rest of a process group whose leader is gone, if the system has groups. */
  endGroup(pid: number): void
  /** Whether the process is root: Chromium then refuses to run in its sandbox. */
  isPrivileged(): boolean
  hints(): PlatformHints
}

/** Ends a process that leads its own group, and the whole group, at once. Does nothing when they are gone. */
export function killProcessGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is already gone.
  }
}
