import type { Brand } from '@service-link/protocol-core/brand'

/** Who a wrapper's program is. */
export interface ProgramIdentity {
  readonly brand: Brand
  /** Four parts. */
  readonly version: string
  /** What its user types to start it: the name that help texts use. */
  readonly command: string
}
