import { assertParameter, type ParameterKind } from '@service-link/protocol-core/errors'

/**
 * Checks the options of a public function before they are used.
 *
 * @param members kinds of the options besides `brand`, `timeoutMs` and `signal`
 */
export function assertOptions(options: unknown, members: Readonly<Record<string, ParameterKind>> = {}): void {
  assertParameter('options', options, 'object?', { ...members, timeoutMs: 'anyNumber?' })
  const { brand, signal } = Object(options)
  assertParameter('options.brand', brand, 'object?', {
    vendor: 'text',
    application: 'text',
    pipePrefix: 'text',
    registryKey: 'text',
  })
  assertParameter('options.signal', signal, 'object?', {
    throwIfAborted: 'function',
    addEventListener: 'function',
  })
}
