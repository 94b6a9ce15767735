import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runInWindows } from './bundle.ts'
import { openWindowsMachine } from './wine/windows-machine.ts'

const writer = fileURLToPath(new URL('native/write-identity.ts', import.meta.url))

// Wine keeps no properties of windows: the job on Windows shows the rest.
test('properties of a window have what the taskbar groups and pins it as', async () => {
  await using windows = await openWindowsMachine()
  const folder = await mkdtemp(join(tmpdir(), 'identity-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const identity = { id: 'AcmeHealth.Acme', name: 'Acme Træning', command: '"C:\\Åse & Søn\\Acme.exe"' }
  expect(await runInWindows(windows, writer, folder, [JSON.stringify(identity)])).toEqual({
    isWritten: true,
    texts: [identity.command, null, identity.name, identity.id, null],
  })
})
