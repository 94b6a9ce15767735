const unsupportedRuntime = 'oidc-provider WARNING: Unsupported runtime.'

/**
 * Loads the OpenID provider library when a test e-ID is started. At its import it warns on a Node that is not a long-term
 * release, which on a test issuer helps nobody; other warnings are printed.
 */
export async function loadProvider() {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes(unsupportedRuntime)) warn(...words)
  }
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}
