import { readFile } from 'node:fs/promises'
import { PackError } from '../pack-error.ts'
import type { PackTarget } from '../pack-target.ts'
import { fetchNode } from './fetch-node.ts'
import { nodeVersionOf } from './node-version-of.ts'

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
