import type { CommandWords } from './completion-words.ts'

/** For bash 3.2, which macOS has, and newer. */
export function bashScript(commands: readonly CommandWords[], withValue: readonly string[]): string {
  const cases = commands.map(
    ({ word, args, options }) => `    ${word}) args='${joined(args)}' options='${joined(options)}' ;;`,
  )
  return `# Completion of service-pipe for bash; service-pipe completion bash prints it.
_service_pipe() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local key= command= used=' ' args= options= skip= i word
  COMPREPLY=()
  # Bash cuts words at = and @, too.
  if [[ $cur == *@ || $prev == *@ ]]; then
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "\${cur##*@}"))
    compopt -o filenames 2>/dev/null
    return 0
  fi
  if [[ $cur == = ]]; then key=$prev cur=
  elif [[ $prev == = ]]; then key=\${COMP_WORDS[COMP_CWORD-2]}
  else case $prev in ${withValue.join('|')}) key=$prev ;; esac
  fi
  if [[ $key == --pid ]]; then
    COMPREPLY=($(compgen -W "$(service-pipe list 2>/dev/null | grep -o '"pid":[0-9]*' | grep -o '[0-9]*$')" -- "$cur"))
  fi
  [[ -n $key ]] && return 0
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then skip=1; continue; fi
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      ${withValue.join('|')}) skip=1; [[ \${COMP_WORDS[i+1]} == = ]] && skip= ;;
      -?*) ;;
      *) if [[ -z $command ]]; then command=$word; else used+="$word "; fi ;;
    esac
  done
  case $command in
    '') args='${joined(commands)}' options='--help' ;;
${cases.join('\n')}
  esac
  [[ $cur == -* ]] && args=
  [[ -z $args ]] && args=$options
  for word in $args; do
    [[ $word == "$cur"* && $used != *" \${word%=} "* ]] && COMPREPLY+=("$word")
  done
  [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _service_pipe service-pipe
`
}

const joined = (words: readonly { readonly word: string }[]) => words.map(({ word }) => word).join(' ')
