import type { Brand } from '@service-link/protocol-core'
import type { Provider } from '../provider.ts'
import { foldTypeName, readTypeName } from '../type-name.ts'
import { ProviderNameError } from './provider-errors.ts'

/** Providers of the program that embeds the wrapper: type name, `<Type>, <Assembly>` → provider. */
export type OwnProviders = Readonly<Record<string, Provider>>

/**
 * Makes sure that each name can choose its provider.
 *
 * @throws {ProviderNameError} when a name is no type name, a built-in one, or the same as another but for case and blanks
 */
export function checkOwnNames(brand: Brand, own: OwnProviders): void {
  const taken = new Set(Object.values(brand.providers).map(foldTypeName))
  for (const name of Object.keys(own)) {
    if (!readTypeName(name))
      throw new ProviderNameError(`The provider name "${name}" is not written "<Type>, <Assembly>".`)
    const folded = foldTypeName(name)
    if (taken.has(folded))
      throw new ProviderNameError(`The provider name "${name}" is taken by another provider of the wrapper.`)
    taken.add(folded)
  }
}
