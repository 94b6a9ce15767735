import { defineError } from '@service-link/protocol-core/errors'
import { tellOfNode } from '@service-link/terminal/supported-node'

/**
 * This Node is older than the wrapper needs.
 *
 * @remedy Install the Node that the message names. A packed wrapper brings its own.
 * @retry after an update
 * @seenBy integrator, partner's developer
 */
export class NodeVersionError extends defineError('ERR_NODE_VERSION') {}

/**
 * Checks the running Node.
 *
 * @throws {NodeVersionError}
 */
export function assertSupportedNode(version = process.versions.node): void {
  const problem = tellOfNode('The wrapper', '^22.18.0 || >=24.11.0', version)
  if (problem !== undefined) throw new NodeVersionError(problem)
}
