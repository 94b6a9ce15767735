import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { completionScript } from '../src/cli/completion/completion-script.ts'
import { helpOf } from '../src/cli/help/help-text.ts'

/** A shell that can be asked what it would complete. */
export type CompletingShell = 'bash' | 'zsh' | 'fish'

/** A folder in which shells complete `service-pipe`, with a program of that name and two files. Gone with the scope. */
export interface CompletionFolder extends Disposable {
  readonly folder: string
  /** Has a shell complete the last of the words, as its user installs the script, and tells what it offers. */
  complete(shell: CompletingShell, ...words: readonly string[]): string[]
}

/** Makes one. */
export function completionFolder(): CompletionFolder {
  const folder = mkdtempSync(join(tmpdir(), 'service-pipe-completion-'))
  const config = join(folder, '.config')
  mkdirSync(config)
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    writeFileSync(join(config, `script.${shell}`), completionScript(shell))
  // The scripts ask `service-pipe list` for process ids; what that prints is tested elsewhere.
  const program = join(folder, 'service-pipe')
  writeFileSync(
    program,
    `#!/bin/sh
[ "$*" = list ] && echo '[{"pid":4711,"address":"a","session":":0"},{"pid":4822,"address":"b","session":null}]'
[ "$1" = completion ] && cat '${config}'/script."$2"
exit 0
`,
  )
  chmodSync(program, 0o755)
  for (const name of ['person.json', 'profile.json']) writeFileSync(join(folder, name), '{}')
  writeFileSync(join(config, '.zshrc'), zshSettings)
  return {
    folder,
    complete: (shell, ...words) => {
      const { argv, environment = {} } = programs[shell](words, config)
      const { stdout, stderr, status } = spawnSync(shell, argv, {
        encoding: 'utf8',
        cwd: folder,
        env: {
          ...process.env,
          PATH: `${folder}${delimiter}${process.env.PATH}`,
          HOME: config,
          TERM: 'xterm',
          INSTALLATION: installationOf(shell),
          ...environment,
        },
        timeout: 60_000,
      })
      if (stderr !== '' || status !== 0) throw new Error(`${shell} ended with ${status}. ${stderr}`)
      return (shell === 'zsh' ? readOffers(config) : stdout)
        .split('\n')
        .map(line => line.split('\t')[0] ?? '')
        .filter(word => word !== '')
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** What the help says is to be put into the shell's own file. */
function installationOf(shell: CompletingShell): string {
  const [, line = ''] =
    new RegExp(`^ {2}${shell} +(.*?)(?:, after compinit)?$`, 'm').exec(helpOf('completion')) ?? []
  return line
}

interface Program {
  readonly argv: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

const programs: Readonly<Record<CompletingShell, (words: readonly string[], config: string) => Program>> = {
  // Bash gives words to a function, and takes what that leaves.
  bash: words => ({
    argv: [
      '--norc',
      '-c',
      `eval "$INSTALLATION"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _service_pipe; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      'service-pipe',
      ...words,
    ],
  }),
  // Zsh completes on a terminal alone, which one of its own modules makes. Without the system's files: Ubuntu's would run compinit
  // first, which asks about folders that others can write to.
  zsh: (words, config) => ({
    argv: ['-f', '-c', 'zmodload zsh/zpty; zpty inner zsh -d -i; while zpty -r inner line; do :; done'],
    environment: {
      ZDOTDIR: config,
      TYPED: ['service-pipe', ...words].join(' '),
      OFFERS: join(config, 'offers'),
    },
  }),
  fish: words => ({
    argv: [
      '--no-config',
      '-c',
      'eval $INSTALLATION; complete -C $argv[1]',
      ['service-pipe', ...words].join(' '),
    ],
  }),
}

/** Writes down what is offered for a line that is there from the beginning, and ends. */
const zshSettings = `
autoload -Uz compinit && compinit -u -D
eval "$INSTALLATION"
: > $OFFERS
compadd() {
  local -a offers
  if (( ! \${argv[(I)-[OAD]]} )); then
    builtin compadd -O offers "$@"
    (( $#offers )) && print -rl -- $offers >> $OFFERS
  fi
  builtin compadd "$@"
}
zle-line-init() { BUFFER=$TYPED; CURSOR=$#BUFFER; zle list-choices; BUFFER=exit; zle accept-line }
zle -N zle-line-init
`

/** Zsh's own; an error when it has not come as far as completing. */
function readOffers(config: string): string {
  const file = join(config, 'offers')
  const offers = readFileSync(file, 'utf8')
  rmSync(file)
  return offers
}
