import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PackError, type PackTarget } from '../pack-plan.ts'
import { fetchNode } from './fetch-node.ts'

/** First version that makes such executables from ES modules. */
const firstMajor = 26

interface FindNodeOptions {
  /** Exact, three parts. */
  readonly version: string
  readonly signal?: AbortSignal | undefined
  onProgress(sentence: string): void
}

interface ChooseNodesOptions extends FindNodeOptions {
  readonly target: PackTarget
  /** The platform's Node, absolute path. Default: fetched. */
  readonly file: string | undefined
}

/** The two Nodes of an executable, absolute paths. */
interface ChosenNodes {
  /** The platform's: it becomes the executable. */
  readonly node: string
  /** This machine's: it writes the program into the other. */
  readonly builder: string
}

/**
 * Finds the platform's Node and this machine's Node of the same version. An executable of two versions prints nothing and ends.
 */
export async function chooseNodes(options: ChooseNodesOptions): Promise<ChosenNodes> {
  const { target, version, file, ...rest } = options
  if (Number(version.split('.')[0]) < firstMajor)
    throw new PackError(`Node ${version} makes no such executable: ${firstMajor} or newer does.`)
  const here = `${process.platform}-${process.arch}`
  const node = file ?? (await fetchNode({ platform: target.platform, version, ...rest }))
  const program = await readNode(node)
  if (program.toString('latin1', 0, 2) !== (target.isWindows ? 'MZ' : '\x7fE'))
    throw new PackError(`${node} is no program for ${target.platform}: name that Node, or leave --node out.`)
  const found = nodeVersionOf(program)
  if (found !== version)
    throw new PackError(
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
    throw new PackError(`${file} cannot be read.`)
  }
}

/** Each Node holds the address of its release. */
const release = Buffer.from('/download/release/v')

/**
 * Reads the version of the Node in an executable from its bytes: it need not run here.
 *
 * @returns such as `26.10.0`; `undefined` for anything but a released Node
 */
export function nodeVersionOf(executable: Buffer): string | undefined {
  for (let at = executable.indexOf(release); at !== -1; at = executable.indexOf(release, at + 1)) {
    const start = at + release.length
    const version = /^\d+\.\d+\.\d+(?=[/\0])/.exec(executable.toString('latin1', start, start + 24))
    if (version) return version[0]
  }
  return undefined
}

/**
 * Reads the license of Node and its parts beside one of these files. Not every package with Node has it: that for Linux does, and
 * is fetched if needed.
 */
export async function readNodeLicense(nodes: readonly string[], options: FindNodeOptions): Promise<string> {
  for (const node of nodes)
    for (const folder of [dirname(node), join(dirname(node), '..')]) {
      const text = await readFile(join(folder, 'LICENSE'), 'utf8').catch(() => '')
      if (text.startsWith('Node.js is licensed')) return text
    }
  const node = await fetchNode({ platform: 'linux-x64', ...options })
  return readFile(join(dirname(node), '..', 'LICENSE'), 'utf8')
}
