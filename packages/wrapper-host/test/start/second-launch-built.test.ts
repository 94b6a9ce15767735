import { stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { build } from 'tsup'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import executable, { programParts } from '../../tsup.executable.ts'
import { runningInstance } from '../support/running-instance.ts'

type Instance = Awaited<ReturnType<typeof runningInstance>>

describe('the built executable', () => {
  let built: Awaited<ReturnType<typeof temporaryFolder>>
  let program: string
  beforeAll(async () => {
    built = await temporaryFolder()
    program = join(built.path, 'cli/service-webwrapper.cjs')
    const place = {
      config: false,
      silent: true,
      outDir: built.path,
      outExtension: () => ({ js: '.cjs' }),
    } as const
    await Promise.all([executable, programParts].map(one => build({ ...one, ...place })))
  })
  afterAll(() => built[Symbol.asyncDispose]())

  test('is one file of at most 27,500 bytes, and loads nothing for a hand-off but this file, sockets and what they need', async () => {
    await using instance = await runningInstance()
    const { files, ofNode } = await modulesOf(instance, program)
    expect(instance.taken).toHaveLength(1)
    expect(files).toEqual(['service-webwrapper.cjs'])
    expect((await stat(program)).size).toBeLessThan(27_500)
    expect(ofNode).toContain('net')
    const least = "require('node:net').connect('/none').on('error', () => require('node:os'))"
    expect(await beyond(instance, least, ofNode)).toEqual([])
  })

  test('becomes the wrapper with one further file of at most 676,000 bytes, and loads nothing of Node behind exports that nobody uses', async () => {
    await using instance = await runningInstance()
    const start = join(built.path, 'cli/start.cjs')
    // Fails once all modules of the start are loaded.
    await writeFile(start, "require('./parts.cjs').programParts.run().catch(() => process.exit())")
    const { files, ofNode } = await modulesOf(instance, start)
    expect(files).toEqual(['start.cjs', 'parts.cjs'])
    // More than a quarter is zod and fast-xml-parser, with its libraries.
    expect((await stat(join(built.path, 'cli/parts.cjs'))).size).toBeLessThan(676_000)
    expect(ofNode).toContain('child_process')
    const least = ['child_process', 'crypto', 'fs/promises', 'net', 'sea', 'sqlite', 'timers/promises', 'vm']
      .map(name => `require('node:${name}')`)
      // zod asks it whether it may compile.
      .concat('navigator')
      .join()
    expect(await beyond(instance, least, ofNode)).toEqual([])
  })

  async function modulesOf(instance: Instance, file: string) {
    const { files, ofNode }: { files: string[]; ofNode: string[] } = await instance.modulesOf(file)
    return { files: files.filter(url => !url.startsWith('node:')).map(url => basename(url)), ofNode }
  }

  /** Which of the modules the least program does not load. */
  async function beyond(instance: Instance, least: string, ofNode: readonly string[]) {
    const file = join(built.path, 'least.cjs')
    await writeFile(file, least)
    const needed = (await modulesOf(instance, file)).ofNode
    return ofNode.filter(name => !needed.includes(name))
  }
})
