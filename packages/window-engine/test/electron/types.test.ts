import { expectTypeOf, test } from 'vitest'
import type { ElectronParts } from '../../src/electron/electron-api.ts'

// Types alone: the compiler reads this test, and nothing of Electron is loaded.
test('Electron’s own types are what the adapter takes', () => {
  expectTypeOf<typeof import('electron')>().toExtend<ElectronParts>()
})
