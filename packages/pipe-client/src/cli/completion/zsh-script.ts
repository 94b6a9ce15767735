import type { CommandWords, CompletionWord } from './completion-words.ts'

/** For zsh 5 with its completion system. */
export function zshScript(commands: readonly CommandWords[], withValue: readonly string[]): string {
  const cases = commands.map(
    ({ word, args, options }) => `    ${word})
      args=(${entries(args)})
      options=(${entries(options)}) ;;`,
  )
  return `#compdef service-pipe
# Completion of service-pipe for zsh; service-pipe completion zsh prints it.
_service_pipe() {
  local command= word= skip=
  local -a args options used pids
  integer i
  for (( i = 2; i < CURRENT; i++ )); do
    word=\${words[i]}
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      ${withValue.join('|')}) skip=$word ;;
      -?*) ;;
      *) if [[ -z $command ]]; then command=$word; else used+=("\${word%%=*}"); fi ;;
    esac
  done
  if [[ -z $skip && $PREFIX == --*=* ]]; then
    skip=\${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ $skip == --pid ]]; then
    pids=($(service-pipe list 2>/dev/null | grep -o '"pid":[0-9]*' | grep -o '[0-9]*$'))
    compadd -a pids
  fi
  [[ -n $skip ]] && return
  if [[ $PREFIX == @* || $PREFIX == profiledata=@* ]]; then
    compset -P '*@'
    _files
    return
  fi
  [[ $PREFIX == *=* ]] && return
  case $command in
    '')
      args=(${entries(commands)})
      options=('--help') ;;
${cases.join('\n')}
  esac
  for word in $used; do args=("\${(@)args:#\${word}=:*}" ); args=("\${(@)args:#\${word}:*}"); done
  if [[ $PREFIX == -* || \${#args} -eq 0 ]]; then
    _describe option options
  elif [[ \${args[1]%%:*} == *= ]]; then
    _describe argument args -S ''
  else
    _describe argument args
  fi
}
compdef _service_pipe service-pipe
`
}

const entries = (words: readonly CompletionWord[]) =>
  words.map(({ word, summary }) => quote(summary === '' ? word : `${word}:${summary}`)).join(' ')

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
