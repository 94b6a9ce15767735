import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundleForWindows } from './bundle.ts'
import { openWindowsMachine } from './wine/windows-machine.ts'
import { windowsPath } from './wine/windows-path.ts'

test('a client on Windows sends a person only to a wrapper that proves its identity', async () => {
  const windows = await openWindowsMachine()
  const folder = await mkdtemp(join(tmpdir(), 'whose-pipe-'))
  try {
    const module = fileURLToPath(new URL('whose-pipe/meet-squatter.ts', import.meta.url))
    const entry = await bundleForWindows(module, folder)
    const userFolder = join(folder, 'user')
    const env = { SERVICE_WRAPPER_DATA: windowsPath(userFolder) }
    const { exitCode, stdout, stderr } = await windows.run(windows.node, [windowsPath(entry)], { env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      wrapper: 'created',
      squatter: 'ERR_PIPE_UNPROVEN',
      heard: ['ask'],
    })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

test('a command without a reply fails when the wrapper is killed before reading it', async () => {
  const windows = await openWindowsMachine()
  const folder = await mkdtemp(join(tmpdir(), 'lost-wrapper-'))
  try {
    const module = fileURLToPath(new URL('whose-pipe/lose-wrapper.ts', import.meta.url))
    const entry = await bundleForWindows(module, folder)
    const { exitCode, stdout, stderr } = await windows.run(windows.node, [windowsPath(entry)])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ code: 'ERR_PIPE_CLOSED', wasSent: true })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
