import { expect, test } from 'vitest'
import { bundleWrapper } from './bundle-program.ts'

test('a packed program begins with a module of at most 27,600 bytes, which loads sockets and files before a hand-off, and no schemas', async () => {
  const { main } = await bundleWrapper()
  const modules = [
    ...main.matchAll(/(?:^|[^.\w])(?:\w+=)?process\.getBuiltinModule\(["'`](node:[\w/]+)/g),
  ].map(([, name]) => name)
  expect([...new Set(modules)].sort()).toEqual([
    'node:buffer',
    // On Windows alone: the desktop is asked for, by a program where there is no `node:ffi`.
    'node:child_process',
    'node:ffi',
    'node:fs',
    'node:net',
    'node:os',
    'node:path',
    'node:sea',
    'node:vm',
  ])
  expect(Buffer.byteLength(main)).toBeLessThan(27_600)
})
