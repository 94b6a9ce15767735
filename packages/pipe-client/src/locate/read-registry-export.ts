/** What a wrapper, or its installer, writes to the registry (specification 4.2). */
export interface RegisteredValues {
  readonly path?: string
  readonly version?: string
}

/**
 * Reads the values `path` and `version` out of what `reg export` writes about one key. Keys below it are not looked at.
 *
 * @param environment variables that a text of the type `REG_EXPAND_SZ` may name
 */
export function readRegistryExport(text: string, environment: NodeJS.ProcessEnv): RegisteredValues {
  const values: { path?: string; version?: string } = {}
  let keys = 0
  // A line that goes on ends in a backslash; a text cannot, since its quote comes last.
  for (const line of text.replaceAll(/\\\r?\n\s*/g, '').split(/\r?\n/)) {
    if (line.startsWith('[')) keys += 1
    if (keys > 1) break
    const [, name = '', written = ''] = /^"((?:[^"\\]|\\.)*)"=(.*)$/.exec(line) ?? []
    const known = name.toLowerCase()
    if (known !== 'path' && known !== 'version') continue
    const value = readText(written, environment)
    if (value !== undefined) values[known] = value
  }
  return values
}

function readText(written: string, environment: NodeJS.ProcessEnv): string | undefined {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(written) ?? []
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1')
  const [, bytes] = /^hex\(2\):([\da-f,]*)$/i.exec(written) ?? []
  if (bytes === undefined) return undefined
  const text = Buffer.from(bytes.replaceAll(',', ''), 'hex').toString('utf16le').replace(/\0+$/, '')
  return text.replaceAll(/%([^%]+)%/g, (whole, name: string) => variableOf(environment, name) ?? whole)
}

/** Windows knows variables without regard to case; a copy of the environment is an object as any other. */
function variableOf(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const folded = name.toUpperCase()
  return Object.entries(environment).find(([known]) => known.toUpperCase() === folded)?.[1]
}
