/** Part of an address that each Node holds of its own release. */
const release = Buffer.from('/download/release/v')

/**
 * Version of the Node in an executable, told from its bytes: it need not run here.
 *
 * @returns such as `26.10.0`; nothing when it is no Node, or one that is no release
 */
export function nodeVersionOf(executable: Buffer): string | undefined {
  for (let at = executable.indexOf(release); at !== -1; at = executable.indexOf(release, at + 1)) {
    const start = at + release.length
    const version = /^\d+\.\d+\.\d+(?=[/\0])/.exec(executable.toString('latin1', start, start + 24))
    if (version) return version[0]
  }
  return undefined
}
