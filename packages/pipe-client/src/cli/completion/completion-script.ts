import type { Shell } from '../facts/command-facts.ts'
import { bashScript } from './bash-script.ts'
import { completionWords, optionsWithValue } from './completion-words.ts'
import { fishScript } from './fish-script.ts'
import { powershellScript } from './powershell-script.ts'
import { zshScript } from './zsh-script.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }

/** The script that lets a shell complete `service-pipe`. It asks `service-pipe list` for process ids, and nothing else. */
export function completionScript(shell: Shell): string {
  return scripts[shell](completionWords(), optionsWithValue())
}
