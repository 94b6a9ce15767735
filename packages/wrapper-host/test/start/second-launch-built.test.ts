import { basename, join } from 'node:path'
import { build } from 'tsup'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import executable from '../../tsup.executable.ts'
import { runningInstance } from '../support/running-instance.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('the built executable', () => {
  let built: Awaited<ReturnType<typeof temporaryFolder>>
  let program: string
  beforeAll(async () => {
    built = await temporaryFolder()
    program = join(built.path, 'cli/service-webwrapper.mjs')
    await build({
      ...executable,
      config: false,
      silent: true,
      outDir: built.path,
      outExtension: () => ({ js: '.mjs' }),
    })
  })
  afterAll(() => built[Symbol.asyncDispose]())

  test('is one file, and for a hand-off loads of Node only sockets and their needs', async () => {
    await using instance = await runningInstance()
    const { files, ofNode } = await instance.modulesOf(program)
    expect(instance.taken).toHaveLength(1)
    expect(files.map((url: string) => basename(url))).toEqual(['service-webwrapper.mjs'])
    expect(ofNode).toContain('net')
    expect(ofNode).not.toContain('sqlite')
    expect(ofNode).not.toContain('crypto')
    expect(ofNode).not.toContain('fs/promises')
  })
})
