import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { startExecutable, wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test } from 'vitest'

const connectProgram = fileURLToPath(new URL('../support/connect-process.ts', import.meta.url))

describe.skipIf(!hasBrowser || process.platform !== 'linux')('a program of a user with two desktops', () => {
  test('[4.5-name] commands its own desktop’s wrapper, and none without one', async () => {
    await using wrapper = await wrapperExecutable()
    const { file, argv, environment } = wrapper.command()
    const startIn = (display: string) =>
      startExecutable(file, argv, { cwd: wrapper.folder, env: { ...environment, DISPLAY: display } })
    const connectIn = async (display: string) => {
      const all = ['-C', '@service-link/source', connectProgram]
      const env = { ...environment, DISPLAY: display, WAYLAND_DISPLAY: '' }
      return JSON.parse((await promisify(execFile)(process.execPath, all, { env })).stdout)
    }
    const first = startIn(':71')
    await first.isWrapper
    expect(await connectIn(':71')).toEqual({ pid: first.child.pid })
    expect(await connectIn(':73')).toEqual({ code: 'ERR_PIPE_NOT_FOUND' })
    // A process without a desktop may use any wrapper.
    expect(await connectIn('')).toEqual({ pid: first.child.pid })
    const second = startIn(':72')
    await second.isWrapper
    expect(await connectIn(':71')).toEqual({ pid: first.child.pid })
    expect(await connectIn(':72.0')).toEqual({ pid: second.child.pid })
    expect(await connectIn(':73')).toEqual({ code: 'ERR_PIPE_NOT_FOUND' })
    expect(await connectIn('')).toEqual({ code: 'ERR_PIPE_AMBIGUOUS' })
    for (const { child, ended } of [first, second]) {
      child.kill('SIGTERM')
      expect(await ended).toMatchObject({ exitCode: 0 })
    }
  })
})
