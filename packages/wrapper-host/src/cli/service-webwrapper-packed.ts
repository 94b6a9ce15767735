// The program of a packed executable. A second start runs this module alone: the commands are an asset until needed.
import { basename } from 'node:path'
import { getAsset } from 'node:sea'
import type { Brand } from '@service-link/protocol-core/brand'
import { withheldVariables, withholdVariables } from '../settings/withheld-variables.ts'
import type { ProgramCommands } from './commands.ts'
import { assetNames } from './program-identity.ts'
import { runProgram } from './run-program.ts'

withholdVariables(withheldVariables)
const { brand, version }: { brand: Brand; version: string } = JSON.parse(
  getAsset(assetNames.identity, 'utf8'),
)
await runProgram({ brand, version, command: basename(process.execPath) }, loadCommands)

async function loadCommands(): Promise<ProgramCommands> {
  const { compileFunction, constants } = process.getBuiltinModule('node:vm')
  const module: { exports: { commands?: ProgramCommands } } = { exports: {} }
  compileFunction(getAsset(assetNames.commands, 'utf8'), ['module', 'exports', 'require'], {
    filename: assetNames.commands,
    // Lets the commands import integrators' modules, which are files. By default an executable imports Node's modules only.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(module, module.exports, requireOfNode)
  const { commands } = module.exports
  if (!commands) throw new Error('The executable has no commands.')
  return commands
}

/** Node's `require` would search the folders above the executable, where others may write. */
function requireOfNode(id: string): unknown {
  const found: unknown = process.getBuiltinModule(id)
  if (!found) throw new Error(`A packed program has no package ${id}.`)
  return found
}
