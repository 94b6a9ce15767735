import { defaultBrand } from '@service-link/protocol-core'
import { expect, test, vi } from 'vitest'
import { commands } from './commands.ts'
import { helpText } from './help-text.ts'

test.each([[[]], [['clsoe']], [['close', 'now']]])('the fault of installer %j is reported', async argv => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    const identity = { brand: defaultBrand, version: '3.1.0.0', command: 'wrapper' }
    expect(await commands.installer(argv, identity)).toBe(2)
    expect(write.mock.calls.join('')).toContain('comes close or forget')
  } finally {
    write.mockRestore()
  }
})

test('the help names the calls of an installer and their exit codes', () => {
  expect(helpText('wrapper')).toMatch(
    /wrapper installer close\nwrapper installer forget\n[\s\S]*1 not all of it/,
  )
})
