import { type ClassicCommandName, isClassicCommandName } from '@service-link/protocol-core'
import { connectChannel } from '../../client/connect-wrapper.ts'
import type { WrapperClient } from '../../client/wrapper-client.ts'
import type { CommandLine } from '../command-line/command-line.ts'
import { boundsAfter, connectOptionsOf, connectTo, leftMs } from './connect.ts'

type CommandCall = Extract<CommandLine, { action: 'command' }>

/**
 * Has the wrapper carry out one command of the table. The classic mode is enough where it has the command, and every
 * wrapper has it: arguments travel as they were typed, and the wrapper reads them. Where the wrapper had to prove whose it is, they
 * go over the connection on which it has.
 *
 * @param onConnected told the wrapper's process id
 * @returns the wrapper's answer; `undefined` where it has none
 */
export async function runCommand(
  { target, name, args }: CommandCall,
  onConnected: (pid: number) => void,
): Promise<unknown> {
  const startedAt = performance.now()
  if (!isClassicCommandName(name)) {
    await using client = await connectTo(target, { mode: 'auto' })
    onConnected(client.wrapper.pid)
    return await search(client, name, textOf(args), leftMs(boundsAfter(target, startedAt)))
  }
  const { channel } = await connectChannel({ ...connectOptionsOf(target), mode: 'classic' }, undefined, [])
  try {
    onConnected(channel.wrapper.pid)
    return await channel.request(name, args, boundsAfter(target, startedAt))
  } finally {
    await channel.close()
  }
}

type SearchName = Exclude<CommandCall['name'], ClassicCommandName>

function search(client: WrapperClient, name: SearchName, text: string, timeoutMs: number): Promise<void> {
  return name === 'queryexercises'
    ? client.queryExercises(text, { timeoutMs })
    : client.queryWorkouts(text, { timeoutMs })
}

const textOf = ({ text }: CommandCall['args']) => String(text ?? '')
