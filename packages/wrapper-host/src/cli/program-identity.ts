import type { Brand } from '@service-link/protocol-core/brand'
import type { CreateWrapperOptions } from '../start/wrapper-options.ts'

/** What a program brings of its own for the wrapper. The rest follows from its process. */
export type OwnParts = Omit<
  CreateWrapperOptions,
  'brand' | 'version' | 'folders' | 'installedAs' | 'onNotice'
>

export interface ProgramIdentity {
  readonly brand: Brand
  /** Four parts. */
  readonly version: string
  /** As its user types it, for help texts. */
  readonly programName: string
  readonly own?: OwnParts
}

/** Names of the assets in a packed executable. */
export const assetNames = {
  /** JSON: {@link PackedIdentity}. */
  identity: 'brand.json',
  /** A CommonJS module: the program without the hand-off. */
  parts: 'parts.cjs',
} as const

/** What an executable holds about itself. */
export interface PackedIdentity extends Pick<OwnParts, 'language' | 'texts'> {
  readonly brand: Brand
  readonly version: string
}
