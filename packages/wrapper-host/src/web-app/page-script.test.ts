import { compileFunction } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { pageScript } from './page-script.ts'

/** A document whose listeners object to going away. */
function documentOf(objects: () => boolean) {
  const page: { __wrapperHost?: { receive(message: object): Promise<unknown> } } = {}
  const listeners = new Map<string, () => void>()
  const parts = {
    globalThis: page,
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    document: {
      createEvent: () => ({ initEvent: () => undefined, returnValue: '', defaultPrevented: false }),
    },
    dispatchEvent: vi.fn((event: { defaultPrevented: boolean }) => {
      event.defaultPrevented = objects()
    }),
    send: () => undefined,
  }
  compileFunction(`(${pageScript()})(send)`, Object.keys(parts))(...Object.values(parts))
  const ask = () => page.__wrapperHost?.receive({ type: 'unsaved' })
  return { ask, input: (name: string) => listeners.get(name)?.(), dispatched: parts.dispatchEvent }
}

test('a page without a handler is asked once for unsaved work, and again while its user works on', async () => {
  let isDirty = true
  const { ask, input, dispatched } = documentOf(() => isDirty)
  const unsaved = { type: 'result', value: true }
  expect([await ask(), await ask(), await ask()]).toEqual([unsaved, unsaved, unsaved])
  expect(dispatched).toHaveBeenCalledTimes(1)
  input('keydown')
  expect(await ask()).toEqual(unsaved)
  isDirty = false
  // Saved a while after the input.
  expect(await ask()).toEqual({ type: 'result', value: false })
  expect(dispatched).toHaveBeenCalledTimes(3)
})
