import { defaultBrand } from '@service-link/protocol-core'
import { expect, test, vi } from 'vitest'
import { commands } from './commands.ts'
import { helpText } from './help-text.ts'

test.each([[[]], [['clsoe']], [['close', 'now']]])('what is wrong with installer %j is said', async argv => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    const identity = { brand: defaultBrand, version: '3.1.0.0', command: 'wrapper' }
    expect(await commands.installer(argv, identity)).toBe(2)
    expect(write.mock.calls.join('')).toContain('comes close or forget')
  } finally {
    write.mockRestore()
  }
})

test('the help names what an installer has the program do, and with which exit codes', () => {
  expect(helpText('wrapper')).toMatch(
    /wrapper installer close\nwrapper installer forget\n[\s\S]*1 not all of it/,
  )
})
