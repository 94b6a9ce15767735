import { defaultBrand } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { argumentsProvider } from './arguments-provider.ts'
import { builtInProviders, chooseProvider } from './choose-provider.ts'

const table = builtInProviders(defaultBrand)
const legacy = 'Service.Desktop.Legacy.Component, Service.Desktop'
const byArguments = 'Service.Desktop.Arguments.Component, Service.Desktop'

test('[4.2-provider] [4.3-provider] the launch’s own argument wins over the setting', () => {
  expect(chooseProvider(table, byArguments, legacy)).toBe(argumentsProvider)
  expect(chooseProvider(table, undefined, byArguments)).toBe(argumentsProvider)
  expect(chooseProvider(table, undefined, legacy)).not.toBe(argumentsProvider)
})

test('white space and case of a type name do not matter', () => {
  expect(chooseProvider(table, 'service.desktop.arguments.component,Service.Desktop', legacy)).toBe(
    argumentsProvider,
  )
})

test('an unknown provider is refused with the names that are known', () => {
  expect(() => chooseProvider(table, '../evil.mjs, x', legacy)).toThrow(
    expect.objectContaining({ code: 'ERR_PROVIDER_UNKNOWN', message: expect.stringContaining(legacy) }),
  )
})
