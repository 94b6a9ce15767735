import { describe, expect, test } from 'vitest'
import { fingerprint, type InstanceIdentity, instanceName } from './instance-place.ts'

const identity: InstanceIdentity = {
  user: '1000',
  desktop: '2',
  application: 'Service.Client.WebWrapper',
  userFolder: '/home/åse/.local/share/Service',
}

describe('instanceName', () => {
  test('is 32 hexadecimal digits, the same each time', () => {
    expect(instanceName(identity)).toMatch(/^[0-9a-f]{32}$/)
    expect(instanceName({ ...identity })).toBe(instanceName(identity))
  })

  test.each<[keyof InstanceIdentity, string]>([
    ['user', '1001'],
    ['desktop', '3'],
    ['application', 'Acme.Client.WebWrapper'],
    ['userFolder', '/home/åse/.local/share/service'],
  ])('[1-single-instance] another %s is another instance', (part, value) => {
    expect(instanceName({ ...identity, [part]: value })).not.toBe(instanceName(identity))
  })

  test('the boundary between the parts matters', () => {
    const one = instanceName({ ...identity, user: '1', desktop: '23' })
    expect(instanceName({ ...identity, user: '12', desktop: '3' })).not.toBe(one)
  })
})

test.each([
  ['', '6c62272e07bb014262b821756295c58d'],
  ['a', 'd228cb696f1a8caf78912b704e4a8964'],
  ['foobar', '343e1662793c64bf6f0d3597ba446f18'],
])('the fingerprint of %j equals the published vector', (text, expected) => {
  expect(fingerprint(text)).toBe(expected)
})
