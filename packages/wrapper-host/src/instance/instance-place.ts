import { type InstanceIdentity, instanceName } from './instance-name.ts'
import { posixPlace } from './platform/posix.ts'
import { windowsPlace } from './platform/windows.ts'

/** Where an instance is found and claimed. */
export interface InstancePlace {
  /** Address of the hand-off socket, as `net.connect` takes it. */
  readonly handOffAddress: string
  /** File whose lock is held by the wrapper. */
  readonly lockFile: string
  /** Folder that must exist, be ours and be closed to others before anything in it is trusted. */
  readonly privateFolder: string | undefined
}

/** What one platform contributes to {@link InstancePlace}. */
export interface InstancePlatform {
  /** The user as the operating system knows it. */
  user(): string
  /** The login session, or an empty text. */
  loginSession(environment: NodeJS.ProcessEnv): string
  place(name: string, application: string, userFolder: string, environment: NodeJS.ProcessEnv): InstancePlace
}

/** Options of {@link locateInstance}. */
export interface LocateInstanceOptions {
  readonly application: string
  /** Absolute path of the per-user folder. */
  readonly userFolder: string
  /** Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv
}

/** Says where this user's instance in this login session is, whether it runs or not. Touches nothing. */
export function locateInstance(options: LocateInstanceOptions): InstancePlace {
  const environment = options.environment ?? process.env
  const platform = process.platform === 'win32' ? windowsPlace : posixPlace
  const identity: InstanceIdentity = {
    user: platform.user(),
    loginSession: platform.loginSession(environment),
    application: options.application,
    userFolder: options.userFolder,
  }
  return platform.place(instanceName(identity), options.application, options.userFolder, environment)
}
