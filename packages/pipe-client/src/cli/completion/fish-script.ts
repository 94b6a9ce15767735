import type { CommandWords, CompletionWord } from './completion-words.ts'

/** For fish 3 and newer. */
export function fishScript(commands: readonly CommandWords[], withValue: readonly string[]): string {
  const lines = commands.flatMap(command => [
    complete('', command),
    ...command.args.map(word => complete(command.word, word, word.word)),
    ...command.options.map(option => completeOption(command.word, option, withValue)),
  ])
  return `# Completion of service-pipe for fish; service-pipe completion fish prints it.
function __service_pipe_is
    set -l words (commandline -opc)
    set -e words[1]
    set -l command ''
    set -l skip no
    for word in $words
        if test $skip = yes
            set skip no
        else if contains -- $word ${withValue.join(' ')}
            set skip yes
        else if not string match -q -- '-?*' $word
            set command $word
            break
        end
    end
    test "$command" = "$argv[1]"; or return 1
    not set -q argv[2]; or not string match -q -- "$argv[2]*" $words
end
function __service_pipe_files
    set -l token (commandline -ct)
    set -l at (string match -r -- '^(?:profiledata=)?@' $token); or return
    set -l begun (string sub -s (math (string length -- $at) + 1) -- $token)
    for path in $begun*
        test -d $path; and set path $path/
        echo $at$path
    end
end
function __service_pipe_pids
    service-pipe list 2>/dev/null | string match -ra '"pid":[0-9]+' | string replace '"pid":' ''
end
complete -c service-pipe -f
complete -c service-pipe -n 'not __service_pipe_is ""' -a '(__service_pipe_files)'
${lines.join('\n')}
`
}

/** @param unless left out once a word that begins so was typed */
function complete(command: string, { word, summary }: CompletionWord, unless?: string): string {
  return `complete -c service-pipe -n ${condition(command, unless)} -a ${quote(word)}${described(summary)}`
}

function completeOption(
  command: string,
  { word, summary }: CompletionWord,
  withValue: readonly string[],
): string {
  const short = word === '--help' ? ' -s h' : ''
  const value = withValue.includes(word) ? ' -x' : ''
  const pids = word === '--pid' ? " -a '(__service_pipe_pids)'" : ''
  return `complete -c service-pipe -n ${condition(command)}${short} -l ${word.slice(2)}${value}${pids}${described(summary)}`
}

const condition = (command: string, unless?: string) =>
  quote(`__service_pipe_is "${command}"${unless === undefined ? '' : ` ${unless}`}`)

const described = (summary: string) => (summary === '' ? '' : ` -d ${quote(summary)}`)

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
