// This is the whole public surface. Withheld: the tables of names and the splitting of single arguments, so that they can change.
export { type BuildArgumentsOptions, buildArguments } from './build-arguments.ts'
export { argumentNames, maxArgumentLength, maxWindowsCommandLineLength } from './grammar.ts'
export type { UnknownArgument } from './misspelled.ts'
export {
  type ParseArgumentsOptions,
  type ParsedArguments,
  parseArguments,
  parseCommandLine,
} from './parse-arguments.ts'
export { quotePosixShell, quoteWindowsCommandLine } from './quote-command-line.ts'
export {
  type LaunchArguments,
  type LaunchEnd,
  type LaunchWords,
  readLaunchArguments,
  readLaunchWords,
} from './read-launch-arguments.ts'
