import { defaultBrand } from '@service-link/protocol-core'
import { type Registry, RegistryError, type RegistryValue } from '@service-link/protocol-core/windows'
import { expect, test } from 'vitest'
import { policyKey, readPolicies } from './policies.ts'

const key = String.raw`Software\Policies\Service\Service.Client.WebWrapper`

function registryOf(
  machine: Record<string, RegistryValue>,
  user: Record<string, RegistryValue> = {},
): Registry {
  const unused = () => {
    throw new Error('This is not called.')
  }
  return {
    read: (hive, path) => new Map(Object.entries(path === key ? (hive === 'HKLM' ? machine : user) : {})),
    keysBelow: unused,
    isWritable: unused,
    write: unused,
    remove: unused,
  }
}

test('policies are texts, switches as numbers, and lists; in any case', () => {
  expect(policyKey(defaultBrand)).toBe(key)
  const origins = ['https://a.example', 'https://b.example']
  const read = readPolicies(
    defaultBrand,
    registryOf({
      appurl: 'https://m.example/',
      Kiosk: 1,
      CheckForUpdates: 0,
      SignInOrigins: origins,
      Zoom: 2,
    }),
  )
  expect(Object.fromEntries(read.machine)).toEqual({
    AppUrl: 'https://m.example/',
    Kiosk: 'True',
    CheckForUpdates: 'False',
    SignInOrigins: 'https://a.example https://b.example',
    Zoom: '2',
  })
  expect([read.user.size, read.notices]).toEqual([0, []])
})

test('a global setting of the user and an unknown name are reported', () => {
  const read = readPolicies(defaultBrand, registryOf({ Colour: 'red' }, { AppUrl: 'x', LogLevel: 'off' }))
  expect([read.machine.size, ...read.user]).toEqual([0, ['LogLevel', 'off']])
  expect(read.notices).toEqual([
    { setting: 'Colour', problem: 'in the policies of HKLM is not known' },
    { setting: 'AppUrl', problem: 'is global and has no effect as a policy of the user' },
  ])
})

test('a key that cannot be read is reported, and the other one counts', () => {
  const registry = registryOf({}, { LogLevel: 'off' })
  const refused: Registry = {
    ...registry,
    read(hive, path) {
      if (hive === 'HKLM') throw new RegistryError(`HKLM\\${path}`, 5)
      return registry.read(hive, path)
    },
  }
  const { user, notices } = readPolicies(defaultBrand, refused)
  expect(user.get('LogLevel')).toBe('off')
  const problem = 'cannot be read (error 5 of Windows), so that its policies have no effect'
  expect(notices).toEqual([{ setting: `key HKLM\\${key}`, problem }])
})
