/** What a tool makes an installer of. */
export interface MsiSource {
  /** Absolute path of the source, UTF-8. */
  readonly wxs: string
  /** The packed folder, absolute: the source's variable `Folder`. */
  readonly folder: string
  /** An icon file, absolute: the source's variable `Icon`. */
  readonly icon: string
  /** Absolute path of the installer to be made. */
  readonly msi: string
  /** Folder for what is in between, absolute. */
  readonly temporary: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes an installer of its source by programs that are found by name.
 *
 * @returns whether the programs are there; the installer is then, too
 * @throws {PackError} when they are there and fail, or warn
 */
export type BuildMsi = (source: MsiSource) => Promise<boolean>
