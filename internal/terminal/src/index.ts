// The shared parts of this repository's programs. Private: each program bundles a copy, so none of it is API.
export { Argument, type Command as Program, Option } from 'commander'
export { processTerminal } from './process-terminal.ts'
export { createProgram, integerOption, parseWords, UsageError } from './program.ts'
export { withProgress } from './progress.ts'
export { FileError, fileProblem, readBytes, readText } from './read-text.ts'
export { InterruptedError, paint, printJson, type Terminal, tellFailure } from './terminal.ts'
export { plainJson, plainLine, plainLines, wrapText } from './text.ts'
