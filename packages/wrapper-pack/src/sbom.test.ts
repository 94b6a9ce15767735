import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { defineBrand } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { packTargets } from './pack-plan.ts'
import { writeSbom } from './sbom.ts'

const plan = {
  brand: defineBrand({ name: 'Acme', vendor: 'Acme Health', displayName: 'Åse & Søn' }),
  version: '3.1.4.15',
  icon: undefined,
  settings: {},
  providerModules: [],
  entry: undefined,
  upgradeCode: '0F3A7D50-0D6A-5C8E-9E43-6C3B0A6E1D11',
  installFolder: 'roaming' as const,
  browser: undefined,
  language: undefined,
  texts: {},
  sign: undefined,
}
const parts = { node: '26.10.0', v8: '14.1.1-node.1', openssl: '3.5.4', modules: '147' }
const packages = [
  { name: 'zod', version: '4.6.7', license: 'MIT' },
  { name: '@scope/part', version: '1.0.0', license: '(MIT OR Apache-2.0)' },
]
const options = {
  ...{ plan, target: packTargets['win-x64'], program: { main: '', assets: {}, licenses: '', packages } },
  node: { version: '26.10.0', digest: 'ab'.repeat(32), parts },
  launcher: 'Acme.Client.WebWrapper.Launch.exe',
  modules: new Map([['Acme.Journal.mjs', Buffer.from('export {}')]]),
  others: [],
}

test('the list of parts is CycloneDX 1.6, and the same for the same content', async () => {
  const text = writeSbom(options)
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
  expect(await validator.validate(text)).toBeNull()
  expect(writeSbom(options)).toBe(text)
  const { serialNumber, components } = JSON.parse(text)
  expect(components.map((part: { 'bom-ref': string }) => part['bom-ref'])).toEqual([
    'pkg:generic/node@26.10.0',
    'pkg:npm/zod@4.6.7',
    'pkg:npm/%40scope/part@1.0.0',
    'application:Acme.Client.WebWrapper.Launch.exe@3.1.4.15',
    'file:Acme.Journal.mjs',
  ])
  expect(components[0].components).toEqual([
    { type: 'library', name: 'openssl', version: '3.5.4' },
    { type: 'library', name: 'v8', version: '14.1.1-node.1' },
  ])
  expect(JSON.parse(writeSbom({ ...options, modules: new Map() })).serialNumber).not.toBe(serialNumber)
})
