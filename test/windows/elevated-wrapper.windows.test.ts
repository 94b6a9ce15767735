import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runInWindows } from './bundle.ts'
import { compileNative } from './native/compile-native.ts'
import { startNativeServer } from './native/native-server.ts'
import { openWindowsMachine } from './wine/windows-machine.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

test('[1-single-instance] a launch that may only read from the wrapper’s pipe says that the wrapper has administrator rights', async () => {
  const windows = await openWindowsMachine()
  const folder = await mkdtemp(join(tmpdir(), 'elevated-wrapper-'))
  const [application, digits] = ['elevated-wrapper', 'a'.repeat(64)]
  try {
    const program = join(folder, 'read-only-pipe.exe')
    await compileNative([here('native/read-only-pipe.c')], program)
    await using _wrapper = await startNativeServer(windows, program, [
      `\\\\.\\pipe\\${application}.${digits}`,
    ])
    const argv = [folder, application, digits]
    const claims = await runInWindows(windows, here('native/claim-beside.ts'), folder, argv)
    // Without a holder of the lock, the listener is no wrapper.
    expect(claims).toEqual({ whileHeld: 'elevated-wrapper', whenFree: 'wrapper' })
  } finally {
    await windows[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
})
