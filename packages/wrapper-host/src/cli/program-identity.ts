import type { Brand } from '@service-link/protocol-core/brand'

export interface ProgramIdentity {
  readonly brand: Brand
  /** Four parts. */
  readonly version: string
  /** As its user types it, for help texts. */
  readonly programName: string
}

/** Names of the assets in a packed executable. */
export const assetNames = {
  /** JSON: `brand` and `version`. */
  identity: 'brand.json',
  /** A CommonJS module: the program without the hand-off. */
  parts: 'parts.cjs',
} as const
