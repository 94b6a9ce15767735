// Measures the structure of the source files: size, import cycles, imports against a package's direction, unused exports.
// `node scripts/structure.ts [--list]` prints a table; with --list also what is behind each number.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** One source file, by its path from the repository's folder. */
export interface SourceFile {
  readonly path: string
  readonly lines: number
  /** Files that it imports, of any package. Imports of types, re-exports and dynamic imports count. */
  readonly imports: readonly string[]
  /** Names that it exports, in the order of the file. */
  readonly exports: readonly string[]
  /** Imported names by file: path → names, `*` for a whole namespace. */
  readonly takes: ReadonlyMap<string, ReadonlySet<string>>
}

/** Reads all source files that git knows, but for tests, generated files and declarations. */
export function readStructure(): ReadonlyMap<string, SourceFile> {
  const entries = packageEntries()
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const paths = listed.split('\n').filter(path => isSource(path) && existsSync(join(root, path)))
  return new Map(paths.map(path => [path, readSource(path, entries)]))
}

function isSource(path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path) && !/\.test\.tsx?$|(^|\/)(test|testdata)\/|\.d\.ts$|^docs\//.test(path)
}

/** Entry of a workspace package, such as `@service-link/pipe-client/testing` → its source file. */
function packageEntries(): ReadonlyMap<string, string> {
  const manifests = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*package.json'], {
    cwd: root,
    encoding: 'utf8',
  })
  const entries = new Map<string, string>()
  for (const path of manifests.split('\n').filter(Boolean)) {
    if (!existsSync(join(root, path))) continue
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'))
    for (const [key, entry] of Object.entries<string | Record<string, string>>(exports)) {
      const source = typeof entry === 'string' ? entry : entry['@service-link/source']
      if (source?.endsWith('.ts')) entries.set(join(name, key), join(dirname(path), source))
    }
  }
  return entries
}

function readSource(path: string, entries: ReadonlyMap<string, string>): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const takes = new Map<string, Set<string>>()
  const exports: string[] = []

  const take = (specifier: string, names: readonly string[]) => {
    const target = specifier.startsWith('.')
      ? relative(root, resolve(root, dirname(path), specifier))
          .split(sep)
          .join('/')
      : entries.get(specifier)
    if (!target || !existsSync(join(root, target)) || !isSource(target)) return
    const taken = takes.get(target) ?? new Set()
    for (const name of names) taken.add(name)
    takes.set(target, taken)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const bindings = node.importClause?.namedBindings
      const names = bindings && ts.isNamedImports(bindings) ? bindings.elements.map(importedName) : []
      if (bindings && ts.isNamespaceImport(bindings)) names.push('*')
      if (node.importClause?.name) names.push('default')
      take(node.moduleSpecifier.text, names)
    } else if (ts.isExportDeclaration(node)) {
      const clause = node.exportClause
      const elements = clause && ts.isNamedExports(clause) ? [...clause.elements] : []
      exports.push(...elements.map(element => element.name.text))
      if (node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
        take(node.moduleSpecifier.text, clause ? elements.map(importedName) : ['*'])
    } else if (ts.isExportAssignment(node)) {
      exports.push('default')
    } else if (isExported(node)) {
      exports.push(...declaredNames(node))
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      if (argument && ts.isStringLiteralLike(argument)) take(argument.text, ['*'])
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument
      if (ts.isStringLiteral(literal)) take(literal.text, ['*'])
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return { path, lines: text.split('\n').length - 1, imports: [...takes.keys()], exports, takes }
}

function importedName(element: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (element.propertyName ?? element.name).text
}

function isExported(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  )
}

function declaredNames(node: ts.Node): string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  const { name } = node as ts.Node & { readonly name?: ts.Node }
  return name && ts.isIdentifier(name) ? [name.text] : ['default']
}

/** A graph by name: node → nodes that it leads to. */
export type Graph = ReadonlyMap<string, Iterable<string>>

/** Groups of nodes that lead to each other, each sorted. A graph without cycles has none. */
export function findCycles(graph: Graph): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string): number => {
    const own = index.size
    index.set(node, own)
    low.set(node, own)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      const reached = index.has(next) ? (stack.includes(next) ? (index.get(next) ?? own) : own) : visit(next)
      low.set(node, Math.min(low.get(node) ?? own, reached))
    }
    if (low.get(node) === own) {
      const group = stack.splice(stack.indexOf(node))
      if (group.length > 1) cycles.push(group.sort())
    }
    return low.get(node) ?? own
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return cycles
}

/** Imports between files. */
export function fileGraph(structure: ReadonlyMap<string, SourceFile>): Graph {
  return new Map([...structure].map(([path, { imports }]) => [path, imports]))
}

/**
 * Imports between the folders directly below each package's `src`; an entry file counts as a folder of its own. A cycle here
 * means that some folder imports upwards.
 */
export function folderGraph(structure: ReadonlyMap<string, SourceFile>): Graph {
  const graph = new Map<string, Set<string>>()
  for (const { path, imports } of structure.values()) {
    const from = folderOf(path)
    if (!from) continue
    const to = graph.get(from) ?? new Set()
    graph.set(from, to)
    for (const target of imports) {
      const folder = folderOf(target)
      if (folder && folder !== from && packageOf(folder) === packageOf(from)) to.add(folder)
    }
  }
  return graph
}

function folderOf(path: string): string | undefined {
  return /^((?:packages|apps)\/[^/]+\/src\/(?:[^/]+\/(?:[^/]+(?=\/))?|[^/]+))/.exec(path)?.[1]
}

function packageOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

/** Exports that no other source file names, as `path name`. Those of a package's entries are for its users. */
export function unusedExports(structure: ReadonlyMap<string, SourceFile>): string[] {
  const entries = new Set(packageEntries().values())
  const taken = new Map<string, Set<string>>()
  for (const { takes } of structure.values())
    for (const [path, names] of takes) taken.set(path, new Set([...(taken.get(path) ?? []), ...names]))
  return [...structure.values()]
    .filter(({ path }) => !entries.has(path) && /^(packages|apps|bench)\/.*\/?src\//.test(path))
    .flatMap(({ path, exports }) => {
      const names = taken.get(path) ?? new Set()
      return names.has('*') ? [] : exports.filter(name => !names.has(name)).map(name => `${path} ${name}`)
    })
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}

function print(): void {
  const structure = readStructure()
  const groups = Map.groupBy(structure.values(), ({ path }) =>
    /^(packages|apps)\//.test(path) ? packageOf(path) : (path.split('/')[0] ?? ''),
  )
  const total = [...structure.values()]
  const row = (name: string, files: readonly SourceFile[]) =>
    `${name.padEnd(26)}${String(files.length).padStart(6)}${String(files.reduce((sum, { lines }) => sum + lines, 0)).padStart(9)}` +
    `${String(median(files.map(({ lines }) => lines))).padStart(8)}${String(files.filter(({ lines }) => lines < 30).length).padStart(8)}`
  console.log(`${''.padEnd(26)} files    lines  median    < 30`)
  for (const [name, files] of [...groups].sort(([one], [other]) => one.localeCompare(other)))
    console.log(row(name, files))
  console.log(row('all', total))
  const cycles = findCycles(fileGraph(structure))
  const folderCycles = findCycles(folderGraph(structure))
  const unused = unusedExports(structure)
  console.log(`\nimport cycles between files: ${cycles.length}`)
  console.log(`import cycles between folders of a package: ${folderCycles.length}`)
  console.log(`exports that no other source file names: ${unused.length}`)
  if (!process.argv.includes('--list')) return
  for (const cycle of [...cycles, ...folderCycles]) console.log(`\n${cycle.join('\n')}`)
  console.log(`\n${unused.join('\n')}`)
}

if (import.meta.main) print()
