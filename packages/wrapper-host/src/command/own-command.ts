import { type Command, commands } from '@service-link/protocol-core'

/** A command that the wrapper itself carries out, at once: neither window nor web app is needed. */
export type OwnCommand = Extract<Command, { name: 'version' | 'close' }>

/** Whether a command is one of the wrapper's own. */
export function isOwnCommand(command: Command): command is OwnCommand {
  return commands[command.name].target === 'wrapper'
}
