// The program of a packed executable. A second start reads this module alone: the commands are text until they are asked for.
import { basename } from 'node:path'
import { getAsset } from 'node:sea'
import type { Brand } from '@service-link/protocol-core/brand'
import type { ProgramCommands } from './commands.ts'
import { assetNames } from './program-identity.ts'
import { runProgram } from './run-program.ts'

// By it Node would believe every server.
delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
const { brand, version }: { brand: Brand; version: string } = JSON.parse(
  getAsset(assetNames.identity, 'utf8'),
)
await runProgram({ brand, version, command: basename(process.execPath) }, loadCommands)

async function loadCommands(): Promise<ProgramCommands> {
  const { compileFunction, constants } = process.getBuiltinModule('node:vm')
  const module: { exports: { commands?: ProgramCommands } } = { exports: {} }
  compileFunction(getAsset(assetNames.commands, 'utf8'), ['module', 'exports', 'require'], {
    filename: assetNames.commands,
    // Integrators' own modules are files: what a single executable imports by itself are modules of Node alone.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(module, module.exports, requireOfNode)
  const { commands } = module.exports
  if (!commands) throw new Error('The executable has no commands.')
  return commands
}

/** Node's own would go through the folders above the executable, where others may write. */
function requireOfNode(id: string): unknown {
  const found: unknown = process.getBuiltinModule(id)
  if (!found) throw new Error(`A packed program has no package ${id}.`)
  return found
}
