import { defineBrand } from '@service-link/protocol-core'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'
import { describe, expect, test } from 'vitest'
import { neutralIcon } from '../brand/icon.ts'
import type { PackPlan } from '../pack-plan.ts'
import { brandWindowsProgram } from './windows-executable.ts'

const plan: PackPlan = {
  brand: defineBrand({ name: 'Acme', vendor: 'Acme Health', displayName: 'Acme – trening' }),
  version: '3.1.2.45000',
  icon: undefined,
  settings: {},
  providerModules: [],
  language: undefined,
  texts: {},
  entry: undefined,
  browser: undefined,
  upgradeCode: '920B2E45-9764-5395-B564-3B4FA43593CE',
  installFolder: 'roaming',
  sign: undefined,
}

type Change = (resources: NtExecutableResource, executable: NtExecutable) => void

function changed(bytes: Uint8Array | undefined, change: Change): Uint8Array {
  const executable = bytes ? NtExecutable.from(bytes) : NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(executable)
  change(resources, executable)
  resources.outputResource(executable)
  return new Uint8Array(executable.generate())
}

/** Like Node's executable: a console program with its own names. */
const node = changed(undefined, (resources, executable) => {
  executable.newHeader.optionalHeader.subsystem = 3
  const info = Resource.VersionInfo.createEmpty()
  info.lang = 1033
  info.setFileVersion(26, 10, 0, 0, 1033)
  info.setStringValues({ lang: 1033, codepage: 1200 }, { CompanyName: 'Node.js', Comments: 'Node.js' })
  info.outputToResourceEntries(resources.entries)
})

describe('brandWindowsProgram', () => {
  const branded = brandWindowsProgram(node, plan.brand.executable, plan, neutralIcon())

  test('gives Node names, version and icon of the brand, and no console', () => {
    const executable = NtExecutable.from(branded)
    const { entries } = NtExecutableResource.from(executable)
    expect(executable.newHeader.optionalHeader).toMatchObject({ subsystem: 2, checkSum: 0 })
    const [info, ...others] = Resource.VersionInfo.fromEntries(entries)
    expect(others).toEqual([])
    expect(info?.fixedInfo).toMatchObject({ fileVersionMS: 0x3_0001, fileVersionLS: 0x2_0000 + 45_000 })
    expect(info?.getStringValues({ lang: 1033, codepage: 1200 })).toEqual({
      CompanyName: 'Acme Health',
      FileDescription: 'Acme – trening',
      FileVersion: '3.1.2.45000',
      InternalName: 'Acme.Client.WebWrapper',
      LegalCopyright: 'Acme Health',
      OriginalFilename: 'Acme.Client.WebWrapper.exe',
      ProductName: 'Acme – trening',
      ProductVersion: '3.1.2.45000',
    })
    expect(Resource.IconGroupEntry.fromEntries(entries)).toMatchObject([
      { icons: [16, 24, 32, 48, 64, 128].map(width => ({ width })) },
    ])
  })
})
