import { execFile } from 'node:child_process'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installFileName, parseInstallRecord } from '@service-link/protocol-core'
import { expect, vi } from 'vitest'
import type { TrustedNode } from './trusted-node.ts'
import { wrapperExecutable } from './wrapper-executable.ts'

const source = new URL('../../src/cli/service-webwrapper.ts', import.meta.url)
const launchProgram = fileURLToPath(new URL('./launch-process.ts', import.meta.url))
const limit = { timeout: 60_000 }

/** The real executable in a place that nobody else may change, with what is known of its installation. */
export async function installedExecutable(node: TrustedNode) {
  // Others may change the sources where a group shares them.
  const wrapper = await wrapperExecutable({ node: node.file, program: 'installed.mjs' })
  const program = join(wrapper.folder, 'installed.mjs')
  await writeFile(program, `import '${source.href}'\n`, { mode: 0o644 })
  const { environment } = wrapper.command()
  const installFile = join(wrapper.folder, 'data', installFileName)
  return {
    ...wrapper,
    environment,
    installFile,
    program,
    /** What the wrapper has noted, once it has. */
    async noted() {
      await vi.waitFor(() => access(installFile), limit)
      return parseInstallRecord(await readFile(installFile, 'utf8'))
    },
    /** Notes it as a start does, before there was one. */
    async note() {
      const first = wrapper.start()
      await first.isWrapper
      const record = await this.noted()
      first.child.kill('SIGTERM')
      expect(await first.ended).toMatchObject({ exitCode: 0 })
      return record
    },
    /** Launches it from a process of its own, which ends at once: what it tells. */
    async launchElsewhere(...argv: string[]): Promise<Record<string, unknown>> {
      const all = ['-C', '@service-link/source', launchProgram, ...argv]
      const { stdout } = await promisify(execFile)(process.execPath, all, { env: environment })
      return JSON.parse(stdout)
    },
    [Symbol.asyncDispose]: () => wrapper[Symbol.asyncDispose](),
  }
}
