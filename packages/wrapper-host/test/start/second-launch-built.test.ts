import { stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'tsup'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import executable, { commands } from '../../tsup.executable.ts'
import { runningInstance } from '../support/running-instance.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

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
    await Promise.all([executable, commands].map(one => build({ ...one, ...place })))
  })
  afterAll(() => built[Symbol.asyncDispose]())

  test('is one file of at most 22,500 bytes, and loads nothing for a hand-off but this file, sockets and what they need', async () => {
    await using instance = await runningInstance()
    const least = join(built.path, 'least.cjs')
    await writeFile(least, "require('node:net').connect('/none').on('error', () => require('node:os'))")
    const needed: { ofNode: string[] } = await instance.modulesOf(least)
    const { files, ofNode }: { files: string[]; ofNode: string[] } = await instance.modulesOf(program)
    expect(instance.taken).toHaveLength(1)
    expect(files.map(url => basename(url))).toEqual(['service-webwrapper.cjs'])
    expect((await stat(program)).size).toBeLessThan(22_500)
    expect(ofNode).toContain('net')
    expect(ofNode.filter(name => !needed.ofNode.includes(name))).toEqual([])
  })

  test('becomes the wrapper with one further file of at most 470,000 bytes, and without modules of Node behind exports that nobody uses', async () => {
    await using instance = await runningInstance()
    const start = join(built.path, 'cli/start.cjs')
    // Fails once all modules of the start are loaded.
    await writeFile(start, "require('./commands.cjs').commands.run().catch(() => process.exit())")
    const { files, ofNode }: { files: string[]; ofNode: string[] } = await instance.modulesOf(start)
    expect(files.filter(url => !url.startsWith('node:')).map(url => basename(url))).toEqual([
      'start.cjs',
      'commands.cjs',
    ])
    expect((await stat(join(built.path, 'cli/commands.cjs'))).size).toBeLessThan(470_000)
    expect(ofNode).toContain('child_process')
    expect(ofNode.filter(name => /webcrypto|worker_threads|parse_args|http/.test(name))).toEqual([])
  })
})
