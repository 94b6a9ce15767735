import { expect, test } from 'vitest'
import { nameGuid, upgradeCode } from './name-guid.ts'

test('the identity of a name equals that of other programs', () => {
  expect(nameGuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'python.org')).toBe(
    '886313E1-3B8A-5372-9B90-0C9AEE199E5D',
  )
})

// Never change these: installers in the field would no longer find their predecessors.
test.each([
  ['Service', 'Service.Client.WebWrapper', 'DEA6980C-F568-555D-8240-35D68B2F797A'],
  ['Acme Health', 'Acme.Client.WebWrapper', '0E54B22A-E39C-544B-B0F7-C49D17F78BC9'],
  // The same folder and registry key.
  ['ACME Health', 'acme.client.webwrapper', '0E54B22A-E39C-544B-B0F7-C49D17F78BC9'],
])('the installer of %s for %s is found by %s for ever', (vendor, application, code) => {
  expect(upgradeCode(vendor, application)).toBe(code)
})
