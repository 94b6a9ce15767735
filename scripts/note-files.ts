// Notes each source file when the first of its functions runs: `node --import ./scripts/note-files.ts …`.
import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))
let noted = new Set<string>()

/** Source files in the order in which their first functions ran since the last call. */
export function takeNoted(): readonly string[] {
  const files = [...noted]
  noted = new Set()
  return files
}

Object.assign(globalThis, { noteFile: (path: string) => void noted.add(path) })

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.startsWith('file:') || loaded.source == null) return loaded
    const path = relative(root, fileURLToPath(url))
    if (!/^(?:packages|apps|internal)\/[^/]+\/src\/.*\.tsx?$/.test(path)) return loaded
    return { ...loaded, source: withNotes(path, String(loaded.source)) }
  },
})

/** The source with a note at the beginning of each function. Lines stay where they are. */
function withNotes(path: string, source: string): string {
  const note = `globalThis.noteFile(${JSON.stringify(path)})`
  const insertions: (readonly [at: number, text: string])[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const body = node.body as ts.Block | ts.Expression
      if (ts.isBlock(body)) insertions.push([body.getStart() + 1, `${note};`])
      else insertions.push([body.getStart(), `(${note}, `], [body.getEnd(), ')'])
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true))
  return insertions
    .sort(([one], [other]) => other - one)
    .reduce((text, [at, inserted]) => text.slice(0, at) + inserted + text.slice(at), source)
}
