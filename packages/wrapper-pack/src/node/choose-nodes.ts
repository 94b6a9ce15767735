import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PackError, type PackTarget } from '../pack-plan.ts'
import { fetchNode } from './fetch-node.ts'

/** First version that makes such an executable, and whose programs may be ES modules. */
const firstMajor = 26

/** Options of {@link chooseNodes}. */
export interface ChooseNodesOptions {
  readonly target: PackTarget
  /** Exact, three parts. */
  readonly version: string
  /** The platform's Node, absolute path. Default: fetched. */
  readonly file: string | undefined
  readonly signal?: AbortSignal | undefined
  onProgress(sentence: string): void
}

/** The two Nodes of an executable. */
export interface ChosenNodes {
  /** The platform's, which becomes the executable. */
  readonly node: string
  /** This machine's, which writes the program into it. */
  readonly builder: string
}

/**
 * The platform's Node and this machine's of the same version. Executables of two versions start, print nothing and end, so that
 * another is refused.
 *
 * @throws {PackError} `node`
 */
export async function chooseNodes(options: ChooseNodesOptions): Promise<ChosenNodes> {
  const { target, version, file, ...rest } = options
  if (Number(version.split('.')[0]) < firstMajor)
    throw new PackError('node', `Node ${version} makes no such executable: ${firstMajor} or newer does.`)
  const here = `${process.platform}-${process.arch}`
  const node = file ?? (await fetchNode({ platform: target.platform, version, ...rest }))
  const found = nodeVersionOf(await readNode(node))
  if (found !== version)
    throw new PackError(
      'node',
      `${node} is ${found === undefined ? 'no Node that was released' : `Node ${found}`}, not ${version}. Executable and program must be of one version: name the right file, or --node-version.`,
    )
  if (process.versions.node === version) return { node, builder: process.execPath }
  const builder = here === target.runsOn ? node : await fetchNode({ platform: here, version, ...rest })
  return { node, builder }
}

async function readNode(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch {
    throw new PackError('node', `${file} cannot be read.`)
  }
}

/** Part of an address that each Node holds of its own release. */
const release = Buffer.from('/download/release/v')

/**
 * Version of the Node in an executable, told from its bytes: it need not run here.
 *
 * @returns such as `26.10.0`; nothing when it is no Node, or one that is no release
 */
export function nodeVersionOf(executable: Buffer): string | undefined {
  for (let at = executable.indexOf(release); at !== -1; at = executable.indexOf(release, at + 1)) {
    const start = at + release.length
    const version = /^\d+\.\d+\.\d+(?=[/\0])/.exec(executable.toString('latin1', start, start + 24))
    if (version) return version[0]
  }
  return undefined
}

/** Options of {@link readNodeLicence}. */
export interface ReadNodeLicenceOptions {
  /** Files of Node of the right version, absolute paths. */
  readonly nodes: readonly string[]
  readonly version: string
  readonly signal?: AbortSignal | undefined
  onProgress(sentence: string): void
}

/**
 * The licence of Node and of what it is made of. It lies in the folder of its distribution, but not in each of its packages: that of
 * Linux has it.
 *
 * @throws {PackError} `node` when it has to be fetched and cannot be
 */
export async function readNodeLicence({ nodes, ...options }: ReadNodeLicenceOptions): Promise<string> {
  for (const node of nodes)
    for (const folder of [dirname(node), join(dirname(node), '..')]) {
      const text = await readFile(join(folder, 'LICENSE'), 'utf8').catch(() => '')
      if (text.startsWith('Node.js is licensed')) return text
    }
  const node = await fetchNode({ platform: 'linux-x64', ...options })
  return readFile(join(dirname(node), '..', 'LICENSE'), 'utf8')
}
