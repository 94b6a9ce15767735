/** Longest argument of a launch, name and value together, in UTF-16 code units. */
export const maxArgumentLength = 65_536

/** Longest command line that Windows takes, in UTF-16 code units, the executable's path and the final NUL not counted. */
export const maxWindowsCommandLineLength = 32_766
