import * as z from 'zod/mini'
import { strictObject } from '../schema/object.ts'
import { type BrandOptions, builtInProviders, listRules, needsTypeNames, textRules } from './brand-options.ts'
import { readTypeName } from './type-name.ts'

const text = z.string({ error: 'must be text' })

/** A text by its rule. */
function ruled(name: keyof typeof textRules) {
  const [accepts, needs] = textRules[name]
  return z.optional(text.check(z.refine(accepts, { error: `needs ${needs}` })))
}

/** A list of texts by its rule. */
function ruledList(name: keyof typeof listRules) {
  const [accepts, needs] = listRules[name]
  return z.optional(
    z.array(text, { error: 'must be a list' }).check(z.refine(accepts, { error: `needs ${needs}` })),
  )
}

const typeName = text.check(
  z.refine(name => readTypeName(name) !== undefined, { error: `needs ${needsTypeNames}` }),
)
const typeNames = z.optional(
  z.union([typeName, z.array(typeName).check(z.minLength(1))], { error: `needs ${needsTypeNames}` }),
)

/**
 * The options of `defineBrand`, as a brand file has them. `defineBrand` itself loads no schema library and checks the same by hand; it
 * also refuses a type name of two providers.
 */
export const brandOptionsSchema = strictObject({
  name: ruled('name'),
  vendor: ruled('vendor'),
  application: ruled('application'),
  displayName: ruled('displayName'),
  pipePrefix: ruled('pipePrefix'),
  xmlRoot: ruled('xmlRoot'),
  registryKey: ruled('registryKey'),
  appUrl: ruled('appUrl'),
  updateUrl: ruled('updateUrl'),
  providers: z.optional(
    strictObject({
      arguments: typeNames,
      legacyXml: typeNames,
      namedPipe: typeNames,
      partnerLink: typeNames,
    }),
  ),
  defaultProvider: z.optional(z.enum(builtInProviders)),
  requiredPerson: ruledList('requiredPerson'),
  defaultEngines: ruledList('defaultEngines'),
  readsOldSettings: z.optional(z.boolean({ error: 'must be true or false' })),
} satisfies Record<keyof BrandOptions, z.ZodMiniType>)
