/**
 * The sentence for a Node that is older than a program needs.
 *
 * @param engines as in the package's manifest, which package managers only warn of: `^22.18.0 || >=24.11.0`
 */
export function tellOfNode(needer: string, engines: string, version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const ranges = [...engines.matchAll(/(\^|>=)(\d+)\.(\d+)/g)]
  const isSupported = ranges.some(([, bound, oldestMajor, oldestMinor]) =>
    major === Number(oldestMajor)
      ? minor >= Number(oldestMinor)
      : bound === '>=' && major > Number(oldestMajor),
  )
  if (isSupported) return undefined
  const oldest = ranges.map(([, , oldestMajor, oldestMinor]) => `Node ${oldestMajor}.${oldestMinor} or later`)
  return `${needer} needs ${oldest.join(', or ')}; this is Node ${version}. Install one.`
}
