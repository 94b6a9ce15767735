import { execFile } from 'node:child_process'
import { access, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { launchWrapper, locateWrapper } from '@service-link/pipe-client'
import { defaultBrand, installFileName, parseInstallation } from '@service-link/protocol-core'
import { bundleProgram } from '@service-link/test-kit/bundle-program'
import { browserProcesses } from '@service-link/test-kit/processes'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestNode, trustedNode } from '../support/unix-user.ts'

const byArguments = `provider=${defaultBrand.providers.arguments}`
const search = (text: string) => [byArguments, `queryexercises=${text}`]
const limit = { timeout: 60_000 }

const source = new URL('../../src/cli/service-webwrapper.ts', import.meta.url)
const launchProgram = new URL('../support/launch-process.ts', import.meta.url)

/** The real executable in a folder that only this user may change, and its installation record. */
async function installedExecutable(node: TestNode) {
  const wrapper = await wrapperExecutable({ node: node.file, program: 'installed.mjs' })
  const program = join(wrapper.folder, 'installed.mjs')
  await writeFile(program, `import '${pathToFileURL(await bundleProgram(source))}'\n`, { mode: 0o644 })
  const { environment } = wrapper.command()
  const installFile = join(wrapper.folder, 'data', installFileName)
  return {
    ...wrapper,
    environment,
    installFile,
    program,
    /** Waits for the installation record. */
    async noted() {
      await vi.waitFor(() => access(installFile), limit)
      return parseInstallation(await readFile(installFile, 'utf8'))
    },
    /** Starts the wrapper once to make the installation record. */
    async note() {
      const first = wrapper.start()
      await first.isWrapper
      const record = await this.noted()
      first.child.kill('SIGTERM')
      expect(await first.ended).toMatchObject({ exitCode: 0 })
      return record
    },
    /** Launches the wrapper from another process. Returns its output. */
    async launchElsewhere(...argv: string[]): Promise<Record<string, unknown>> {
      const all = [await bundleProgram(launchProgram), ...argv]
      const { stdout } = await promisify(execFile)(process.execPath, all, { env: environment })
      return JSON.parse(stdout)
    },
    [Symbol.asyncDispose]: () => wrapper[Symbol.asyncDispose](),
  }
}

let node: TestNode

type Executable = Awaited<ReturnType<typeof installedExecutable>>

/** Ends a wrapper, and waits until its processes have ended with its browser. */
async function end(pid: unknown, { profileFolder }: Executable): Promise<void> {
  process.kill(Number(pid), 'SIGTERM')
  await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow(), limit)
  await vi.waitFor(async () => expect(await browserProcesses(profileFolder)).toEqual([]), limit)
}

describe.skipIf(!hasBrowser || process.platform === 'win32')('the installed wrapper', () => {
  beforeAll(async () => {
    node = await trustedNode()
  })
  afterAll(() => node?.[Symbol.asyncDispose]())

  test('[4.2-path] is found after its first start, and takes launches or says why not', async () => {
    await using wrapper = await installedExecutable(node)
    const { environment, program } = wrapper
    await expect(locateWrapper({ environment })).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_INSTALLED' })
    const running = wrapper.start()
    await running.isWrapper
    const record = {
      path: dirname(program),
      version: '3.0.0.0',
      command: [node.file, program],
    }
    expect(await wrapper.noted()).toEqual(record)
    expect(await locateWrapper({ environment })).toEqual(record)

    const wait = [...search('knee  "left"\n'), 'wait=true']
    expect(await launchWrapper(wait, { environment })).toEqual({ role: 'handed-over' })
    expect(wrapper.calls).toEqual([{ name: 'queryExercises', value: { text: 'knee  "left"' } }])
    const slip = [byArguments, '--id=4711']
    expect(await launchWrapper(slip, { environment })).toEqual({
      role: 'handed-over',
      notice: '--id=… was ignored; write id=…. Nothing is selected, searched or opened.',
    })
    await expect(launchWrapper([byArguments, 'id=1'], { environment })).rejects.toMatchObject({
      code: 'ERR_PIPE_START',
      exitCode: 2,
      message: expect.stringMatching(/^Arguments not accepted: .*lastname is missing.*\(ERR_ARGS\)$/),
    })
    expect(running.child.exitCode).toBeNull()
  })

  test('is started, and outlives its starter', async () => {
    await using wrapper = await installedExecutable(node)
    await wrapper.note()
    const outcome = await wrapper.launchElsewhere(...search('first'))
    expect(outcome).toEqual({ role: 'started', pid: expect.any(Number) })
    await wrapper.called(calls => calls.length === 1)
    // The wrapper writes to its standard error when its window is open, and that is closed by now.
    const later = [...search('later'), 'wait=true']
    expect(await wrapper.launchElsewhere(...later)).toEqual({ role: 'handed-over' })
    expect(wrapper.calls.map(({ value }) => value.text)).toEqual(['first', 'later'])
    await end(outcome.pid, wrapper)
  })
})
