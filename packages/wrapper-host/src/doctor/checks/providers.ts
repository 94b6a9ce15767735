import { foldTypeName, readTypeName } from '../../launch/provider.ts'
import { findProviderModule, listProviderModules, providersFolder } from '../../launch/provider-modules.ts'
import { type DoctorCheck, type Finding, ok, problem } from '../doctor-check.ts'
import type { DoctorContext } from '../doctor-context.ts'

/** The integrator's providers. They are looked at as files; none is loaded, because that would run it. */
export const providersCheck: DoctorCheck = {
  name: 'providers',
  async run(context) {
    const { applicationRoot } = context.folders
    const assemblies = await listProviderModules(applicationRoot)
    for (const assembly of assemblies) await findProviderModule(applicationRoot, assembly)
    const missing = await missingDefault(context)
    if (missing) return missing
    const names = assemblies.map(assembly => `${assembly}.mjs`).join(', ')
    return ok(names ? `In ${providersFolder}: ${names}.` : 'There are the built-in ones alone.')
  },
}

/** The provider of a launch that names none must be there. */
async function missingDefault({ brand, folders, settings }: DoctorContext): Promise<Finding | undefined> {
  const { ProtocolProvider } = (await settings()).values
  const builtIn = Object.values(brand.providers).map(foldTypeName)
  if (builtIn.includes(foldTypeName(ProtocolProvider))) return undefined
  const assembly = readTypeName(ProtocolProvider)?.assembly
  if (assembly !== undefined && (await findProviderModule(folders.applicationRoot, assembly)))
    return undefined
  return problem(
    'The setting ProtocolProvider names a provider that is not there.',
    `Correct the setting, or put the module of that assembly into the folder ${providersFolder} of the application root.`,
  )
}
