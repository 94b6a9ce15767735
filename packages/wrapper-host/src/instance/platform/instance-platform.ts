/** Where an instance is found and claimed. */
export interface InstancePlace {
  /** Address of the hand-off socket, as `net.connect` takes it. Where there is an {@link addressFile}, its beginning only. */
  readonly handOffAddress: string
  /**
   * File of this user's alone that holds the whole address while a wrapper listens, whose end it has chosen at random. For an
   * address that anybody could sit at if it could be worked out.
   */
  readonly addressFile?: string
  /** File whose lock is held by the wrapper. */
  readonly lockFile: string
  /** Folder that must exist, be ours and be closed to others before anything in it is trusted. */
  readonly privateFolder: string | undefined
  /** This user's own folder: made or checked before anything else is made. Neither when it is left out. */
  readonly userFolder?: string
}

/** What one platform contributes to an {@link InstancePlace}. */
export interface InstancePlatform {
  /** The user as the operating system knows it. */
  user(): string
  /** What tells this user's login sessions apart for as long as they last, or an empty text. */
  loginSession(environment: NodeJS.ProcessEnv): string
  /** Whether this process has administrator rights. */
  isElevated(): boolean
  place(name: string, application: string, userFolder: string): InstancePlace
}
