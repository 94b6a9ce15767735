import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fetchNode } from './fetch-node.ts'

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
