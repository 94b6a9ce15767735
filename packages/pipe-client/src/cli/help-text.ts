import { commandNames, commands } from '@service-link/protocol-core'

/** What `service-pipe --help` prints; the commands come from the command table. */
export function helpText(): string {
  const rows = commandNames
    .filter(name => commands[name].isClassic)
    .map(name => ({ call: [name, ...argumentNames(name)].join(' '), summary: commands[name].summary }))
  return `Sends one command to a running wrapper and prints its answer as JSON.

Usage: service-pipe list
       service-pipe <command> [key=value …] [options]

Commands
  list
      Lists the running wrappers of this user.
${rows.map(({ call, summary }) => `  ${call}\n      ${summary}`).join('\n')}

Arguments are named without regard to case. profiledata takes JSON, or @ and the path of a JSON file.

Options
  --pid <id>              process id of the wrapper; needed when several are running
  --timeout <seconds>     longest wait; default 35
  --pipe-prefix <prefix>  first part of the pipe's name, for a wrapper of another brand; default servicepipe
  -h, --help              prints this

Prints one JSON value: the command's answer, or null where it has none.
Exit codes: 0 done, 2 wrong usage, 3 no wrapper is running, 4 the wrapper refused or did not answer.
`
}

function argumentNames(name: (typeof commandNames)[number]): string[] {
  return Object.keys(commands[name].args.shape).map(argument => `[${argument}=…]`)
}
