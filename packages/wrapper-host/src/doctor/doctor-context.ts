import type { Brand } from '@service-link/protocol-core'
import { locatePipeKey, readPipeKey } from '../pipe/pipe-key.ts'
import { type FoundSettings, findSettings } from '../settings/find-settings.ts'
import { type ResolvedSettings, resolveSettings } from '../settings/resolve-settings.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import { type AskedPipe, askPipes } from './ask-pipes.ts'

/** What the checks look at. */
export interface DoctorContext {
  readonly brand: Brand
  readonly version: string
  readonly folders: WrapperFolders
  readonly environment: NodeJS.ProcessEnv
  /**
   * The configuration files and what they come to; read once.
   *
   * @throws {ConfigFileError} when a file is there and cannot be read
   */
  settings(): Promise<FoundSettings & ResolvedSettings>
  /** The pipes of this user's wrappers, each asked for its version; once. Nothing when they cannot be listed. */
  pipes(): Promise<readonly AskedPipe[] | undefined>
}

/** Options of {@link doctorContext}. */
export type DoctorOptions = Pick<DoctorContext, 'brand' | 'version' | 'folders' | 'environment'>

/** Puts together what the checks share. */
export function doctorContext(options: DoctorOptions): DoctorContext {
  const { brand, environment } = options
  let settings: ReturnType<DoctorContext['settings']> | undefined
  let pipes: ReturnType<DoctorContext['pipes']> | undefined
  const readSettings = async () => {
    const found = await findSettings(options)
    return { ...found, ...resolveSettings(brand, found) }
  }
  // Elsewhere the owner of a pipe is seen.
  const readKey = process.platform === 'win32' ? () => readPipeKey(locatePipeKey(brand)) : undefined
  return {
    ...options,
    settings: () => (settings ??= readSettings()),
    pipes: () => (pipes ??= askPipes(brand, environment, readKey)),
  }
}
