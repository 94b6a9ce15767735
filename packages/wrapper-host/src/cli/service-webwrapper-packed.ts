// The program of a packed executable. A second start runs this module alone: the other parts are an asset until needed.
import { getAsset } from 'node:sea'
import { withheldVariables, withholdVariables } from '../settings/withheld-variables.ts'
import { packedIdentity } from './packed-identity.ts'
import { assetNames } from './program-identity.ts'
import type { ProgramParts } from './program-parts.ts'
import { runWithParts } from './run-program.ts'

withholdVariables(withheldVariables)
await runWithParts(packedIdentity(), loadParts)

async function loadParts(): Promise<ProgramParts> {
  const { compileFunction, constants } = process.getBuiltinModule('node:vm')
  const module: { exports: { programParts?: ProgramParts } } = { exports: {} }
  compileFunction(getAsset(assetNames.parts, 'utf8'), ['module', 'exports', 'require'], {
    filename: assetNames.parts,
    // Lets the parts import integrators' modules, which are files. By default an executable imports Node's modules only.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(module, module.exports, requireOfNode)
  const { programParts } = module.exports
  if (!programParts) throw new Error('The executable has no program parts.')
  return programParts
}

/** Node's `require` would search the folders above the executable, where others may write. */
function requireOfNode(id: string): unknown {
  const found: unknown = process.getBuiltinModule(id)
  if (!found) throw new Error(`A packed program has no package ${id}.`)
  return found
}
