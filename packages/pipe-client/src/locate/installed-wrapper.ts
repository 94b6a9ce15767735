/** Where a wrapper is installed. It may be another place after each update: ask again each time. */
export interface InstalledWrapper {
  /** Absolute path of the folder that the wrapper lies in. */
  readonly path: string
  /** Version that was started last, four numbers; nothing when it did not note one. */
  readonly version: string | undefined
  /** What starts it: absolute path of an executable, then arguments that come before those of a launch. */
  readonly command: readonly string[]
}
