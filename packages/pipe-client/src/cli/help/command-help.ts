import type { ArgumentFacts, CommandFacts } from '../facts/command-facts.ts'
import { optionsOf } from '../facts/option-facts.ts'
import { argumentWords, columns, exitCodesText, optionLines } from './help-parts.ts'
import { wrapText } from './wrap-text.ts'

/**
 * What `service-pipe <command> --help` prints.
 *
 * @param events what `watch` can be asked for, with what each means
 */
export function commandHelp(facts: CommandFacts, events: readonly (readonly [string, string])[]): string {
  const { name, summary, args, example, prints, needsSession } = facts
  const indent = ' '.repeat(7)
  const usage = [name, ...argumentWords(facts), '[options]'].join(' ')
  const fromFile = args.length > 0 ? `\n${indent}service-pipe ${name} @arguments.json [options]` : ''
  const session = needsSession
    ? ' Needs a wrapper that has the session mode of the pipe, which is version 3.0.0.0 or newer.'
    : ''
  return `${wrapText(`${summary}${session}`)}

Usage: service-pipe ${wrapText(usage, `${indent}  `, 20)}${fromFile}
${args.length > 0 ? `\nArguments\n${columns(args.map(describe))}\n` : ''}${
  name === 'watch' ? `\nEvents; all when none is named\n${columns(events)}\n` : ''
}${name === 'completion' ? `\nTo be put into the shell’s own file\n${columns(installations)}\n\n${wrapText(testedShells)}\n` : ''}
Example
  service-pipe ${[name, example].join(' ').trim()}
${name === 'selectperson' ? `\n${personFile}\n` : ''}
Prints
  ${wrapText(prints, '  ')}

Options
${optionLines(optionsOf(name))}

${exitCodesText}`
}

const personFile = `where person.json is a file that only this user may read, such as
  {"customid": "4711", "firstname": "Kari", "lastname": "Nordmann",
   "dateofbirth": "1980-04-03", "profiledata": []}`

const installations: readonly (readonly [string, string])[] = [
  // Bash 3.2, which macOS has, reads nothing from a substituted process.
  ['bash', 'eval "$(service-pipe completion bash)"'],
  ['zsh', 'source <(service-pipe completion zsh), after compinit'],
  ['fish', 'service-pipe completion fish | source'],
  ['powershell', 'service-pipe completion powershell | Out-String | Invoke-Expression'],
]

const testedShells =
  'Our tests complete in bash, zsh and fish. The script for PowerShell is checked for its words, and was not run.'

function describe({ name, type, isRequired, summary }: ArgumentFacts): readonly [string, string] {
  const spelled = `${name}=<${type}>`
  const sentence = summary === '' ? '' : `${summary}.`
  return [isRequired ? spelled : `[${spelled}]`, sentence]
}
