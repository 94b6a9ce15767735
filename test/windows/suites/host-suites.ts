/** Tests of wrapper-host that run inside Node for Windows, as patterns from its folder. */
export const hostSuites: readonly string[] = []
