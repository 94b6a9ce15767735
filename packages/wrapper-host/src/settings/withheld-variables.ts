/**
 * Variables that a packed executable takes out of its environment before it reads any. They lead to code or to other folders, or have
 * Node trust every server. In development they count.
 */
export const withheldVariables = [
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'SERVICE_BROWSER',
  'SERVICE_WRAPPER_DATA',
  'SERVICE_WRAPPER_ROOT',
] as const

/**
 * Takes variables out of the environment of this process, and keeps the names of those that were there for the log. The
 * packer also writes its text in front of integrators' programs, so it uses nothing of this module.
 */
export function withholdVariables(names: readonly string[]): void {
  const found = names.filter(name => process.env[name] !== undefined)
  for (const name of found) delete process.env[name]
  Reflect.set(process, Symbol.for('@service-link/wrapper-host/withheld'), found)
}

/** Lists the variables that were taken out of the environment; none unless this is a packed executable. */
export function listWithheld(): readonly string[] {
  const found: unknown = Reflect.get(process, Symbol.for('@service-link/wrapper-host/withheld'))
  return Array.isArray(found) ? found.map(String) : []
}
