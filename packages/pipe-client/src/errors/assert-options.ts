import { assertBrand } from '@service-link/protocol-core/brand'
import { assertParameter, type ParameterKind } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'

/** The options that limit a wait. */
export const limits = { timeoutMs: milliseconds, signal: 'signal?' } as const

/**
 * Checks the options of a public function before they are used.
 *
 * @param members kinds of all its options
 */
export function assertOptions(options: unknown, members: Readonly<Record<string, ParameterKind>>): void {
  assertParameter('options', options, 'closed?', members)
  const { brand, signal } = Object(options)
  if (brand !== undefined) assertBrand('options.brand', brand)
  assertParameter('options.signal', signal, 'signal?', { addEventListener: 'function' })
}
