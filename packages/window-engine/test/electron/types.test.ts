import { expectTypeOf, test } from 'vitest'
import type { ElectronParts } from '../../src/electron/electron-api.ts'

// Types only: the compiler reads this test, and nothing of Electron is loaded.
test('the adapter accepts Electron’s own types', () => {
  expectTypeOf<typeof import('electron')>().toExtend<ElectronParts>()
})
