import { defineError } from '@service-link/protocol-core/errors'

/** This Node is older than the wrapper needs. */
export class NodeVersionError extends defineError('ERR_NODE_VERSION', (version: string) => ({
  message: `The wrapper needs Node 22.18 or later, or Node 24.11 or later; this is Node ${version}. Install one.`,
})) {}

/**
 * Checks the running Node as `engines` of this package does, which package managers only warn of.
 *
 * @throws {NodeVersionError}
 */
export function assertSupportedNode(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major === 22 ? minor >= 18 : major === 24 ? minor >= 11 : major > 24
  if (!isSupported) throw new NodeVersionError(version)
}
