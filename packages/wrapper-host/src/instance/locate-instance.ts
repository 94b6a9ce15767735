import { assertParameter } from '@service-link/protocol-core/errors'
import { type InstanceIdentity, instanceName } from './instance-name.ts'
import type { InstancePlace } from './platform/instance-platform.ts'
import { posixPlace } from './platform/posix.ts'
import { windowsPlace } from './platform/windows.ts'

/** Options of {@link locateInstance}. */
export interface LocateInstanceOptions {
  readonly application: string
  /** Absolute path of the per-user folder. */
  readonly userFolder: string
  /** Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv
}

/**
 * Says where this user's instance in this login session is, whether it runs or not. Touches nothing.
 */
export function locateInstance(options: LocateInstanceOptions): InstancePlace {
  assertParameter('options', options, 'object', {
    application: 'text',
    userFolder: 'text',
    environment: 'object?',
  })
  const environment = options.environment ?? process.env
  const platform = process.platform === 'win32' ? windowsPlace : posixPlace
  const identity: InstanceIdentity = {
    user: platform.user(),
    loginSession: platform.loginSession(environment),
    application: options.application,
    userFolder: options.userFolder,
  }
  const { application, userFolder } = options
  return { ...platform.place(instanceName(identity), application, userFolder), userFolder }
}
