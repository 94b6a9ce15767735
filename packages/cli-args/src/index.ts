// This is the whole public surface. Withheld: the tables of names and the splitting of single arguments, so that they can change.
export { type BuildArgumentsOptions, buildArguments } from './build-arguments.ts'
export { maxArgumentLength, maxWindowsCommandLineLength } from './limits.ts'
export { type ParsedArguments, parseArguments } from './parse-arguments.ts'
export { type ParseArgumentsOptions, parseCommandLine } from './parse-command-line.ts'
export { quotePosixShell } from './quote-posix-shell.ts'
export { quoteWindowsCommandLine } from './quote-windows-command-line.ts'
export {
  type LaunchArguments,
  type OpenLaunchArguments,
  readLaunchArguments,
  readOpenLaunchArguments,
} from './read-launch-arguments.ts'
export { splitWindowsCommandLine } from './split-windows-command-line.ts'
