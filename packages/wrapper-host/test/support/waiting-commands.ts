import type { CommandName } from '@service-link/protocol-core'
import type { RunCommand } from './pipe.ts'

/** Carries out commands only when the test says so. */
export function waiting() {
  const signals: AbortSignal[] = []
  const names: CommandName[] = []
  const mayAnswer = Promise.withResolvers<void>()
  const run: RunCommand = async (command, signal) => {
    names.push(command.name)
    signals.push(signal)
    await mayAnswer.promise
    return command.name === 'getlistofusers' ? [{ id: 1, customId: command.args.customId }] : undefined
  }
  return { run, signals, names, answer: mayAnswer.resolve }
}
