import { dirname, resolve } from 'node:path'
import { ownUserFolder } from '@service-link/pipe-client/running'
import { assertBrand, type Brand, folderVariable } from '@service-link/protocol-core/brand'
import { assertParameter, defineError } from '@service-link/protocol-core/errors'

/** The two folders of a wrapper. */
export interface WrapperFolders {
  /** Holds the configuration for all users and the integrator's providers. */
  readonly applicationRoot: string
  /** Holds this user's settings and browser profile. */
  readonly userFolder: string
}

/** The wrapper whose settings are read. */
export interface FindSettingsOptions {
  readonly brand: Brand
  readonly folders: WrapperFolders
  /** The wrapper's version, `a.b.c.d`: each keeps its own `user.config`. */
  readonly version: string
}

/** For `assertParameter`. */
export const folderMembers = { applicationRoot: 'text', userFolder: 'text' } as const

/**
 * Locates a wrapper's folders (design: settings). Creates nothing.
 *
 * @param environment `SERVICE_WRAPPER_ROOT` and `SERVICE_WRAPPER_DATA` move the two; default `process.env`
 * @throws {FolderVariableError} when one of these variables is a relative path
 */
export function locateFolders(brand: Brand, environment: NodeJS.ProcessEnv = process.env): WrapperFolders {
  assertBrand('brand', brand)
  assertParameter('environment', environment, 'object')
  return foldersOf(brand, environment)
}

/** Does the same for a brand that has been checked. */
export function foldersOf(brand: Brand, environment: NodeJS.ProcessEnv = process.env): WrapperFolders {
  return {
    applicationRoot: resolve(
      folderVariable(environment, 'SERVICE_WRAPPER_ROOT', process.platform, true) ??
        dirname(process.execPath),
    ),
    userFolder: ownUserFolder(brand, environment),
  }
}

/** Version of this wrapper, four parts. Existing clients require 2.1.4.19787 or later (spec 4.5). */
export const wrapperVersion = '3.0.0.0'

/** Names the file of an installer with the settings for all users. */
export function deliveredSettings(brand: Brand): string {
  return `${brand.configFile}.default`
}

/**
 * An option of `createWrapper` or `createTray` has an impossible value.
 *
 * @remedy Correct the option that `option` names.
 * @retry no
 * @seenBy integrator
 */
export class OptionError extends defineError(
  'ERR_OPTION',
  // `needs` is the end of the sentence.
  (option: string, needs: string) => ({
    message: `The option ${option} needs ${needs}.`,
    /** Name of the option. */
    option,
  }),
) {}
