import { execFile } from 'node:child_process'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { installFileName, parseInstallation } from '@service-link/protocol-core'
import { bundleProgram } from '@service-link/test-kit/bundle-program'
import { wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { expect, vi } from 'vitest'
import type { TestNode } from './unix-user.ts'

const source = new URL('../../src/cli/service-webwrapper.ts', import.meta.url)
const launchProgram = new URL('./launch-process.ts', import.meta.url)
const limit = { timeout: 60_000 }

/** The real executable in a folder that only this user may change, and its installation record. */
export async function installedExecutable(node: TestNode) {
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
