import {
  type ClassicCommandName,
  commandNames,
  commands,
  isClassicCommandName,
} from '@service-link/protocol-core'

/** Widest line of the help, in characters. */
const width = 90

/** What `service-pipe --help` prints; the commands come from the command table. */
export function helpText(): string {
  return `Sends one command to a running wrapper and prints its answer as JSON.

Usage: service-pipe list
       service-pipe <command> [key=value …] [options]

Commands
  list
      Lists the running wrappers of this user.
${commandNames.filter(isClassicCommandName).map(describe).join('\n')}

Arguments are named without regard to case; those in brackets may be left out, but a person needs customid or
userid. profiledata takes JSON, or @ and the path of a JSON file.

Options
  --pid <id>              process id of the wrapper; needed when several are running
  --timeout <seconds>     longest wait, for finding the wrapper, its version and the command; default 35
  --pipe-prefix <prefix>  first part of the pipe's name, for a wrapper of another brand; default servicepipe
  -h, --help              prints this

Prints one JSON value: the command's answer, or null where it has none.
Exit codes: 0 done, 2 wrong usage, 3 no wrapper is running, 4 the wrapper refused or did not answer.
`
}

function describe(name: ClassicCommandName): string {
  const words = [name, ...argumentNames(name)]
  return `${wrap(words)}\n      ${commands[name].summary}`
}

function wrap(words: readonly string[]): string {
  const lines: string[] = []
  let line = ' '
  for (const word of words) {
    if (line.length + 1 + word.length > width) {
      lines.push(line)
      line = '   '
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\n')
}

function argumentNames(name: ClassicCommandName): string[] {
  const schema = commands[name].args
  const required: unknown = schema.meta()?.required
  return Object.entries(schema.shape).map(([argument, { safeParse }]) => {
    const isRequired =
      !safeParse(undefined).success || (Array.isArray(required) && required.includes(argument))
    return isRequired ? `${argument}=…` : `[${argument}=…]`
  })
}
