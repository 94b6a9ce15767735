// What the entries of the packages export, read from their sources.
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './structure.ts'

/** Facts of an entry: one a name that it exports, with the members of a type in braces. */
export type EntryFacts = readonly string[]

/**
 * Reads the exports of entries.
 *
 * @param sources paths from the repository's folder
 */
export function readExports(sources: readonly string[]): ReadonlyMap<string, EntryFacts> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const files = sources.map(source => join(root, source))
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  return new Map(
    sources.map((source, index) => {
      const file = program.getSourceFile(files[index] ?? '')
      const module = file && checker.getSymbolAtLocation(file)
      if (!module) throw new TypeError(`${source} exports nothing.`)
      return [
        source,
        checker
          .getExportsOfModule(module)
          .map(exported => factOf(exported, checker))
          .sort(),
      ]
    }),
  )
}

function factOf(exported: ts.Symbol, checker: ts.TypeChecker): string {
  const isAlias = exported.flags & ts.SymbolFlags.Alias
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
  const { name } = exported
  if (symbol.flags & ts.SymbolFlags.Class) return `class ${name}${inBraces(ownMembersOf(symbol, checker))}`
  if (symbol.flags & ts.SymbolFlags.Function) return `function ${name}${parametersOf(symbol, checker)}`
  if (symbol.flags & ts.SymbolFlags.Value) return `const ${name}`
  return `type ${name}${inBraces(membersOf(checker.getDeclaredTypeOfSymbol(symbol), checker))}`
}

/** Members of a class without those that every error has from the factory. */
function ownMembersOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const members = membersOf(checker.getDeclaredTypeOfSymbol(symbol), checker)
  return symbol.name === 'ServiceLinkError' ? members : members.filter(name => !everyErrors.has(name))
}

const everyErrors: ReadonlySet<string> = new Set(['code', 'docsUrl', 'name'])

const inBraces = (members: readonly string[]) => (members.length > 0 ? ` { ${members.join(', ')} }` : '')

/** A name that ends with `?` may be left out. */
function nameOf({ name, flags, valueDeclaration: node }: ts.Symbol): string {
  const hasMark = node && ts.isParameter(node) && (node.questionToken ?? node.initializer)
  return flags & ts.SymbolFlags.Optional || hasMark ? `${name}?` : name
}

/** The parameters of the longest way to call a function. */
function parametersOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const lists = checker.getTypeOfSymbol(symbol).getCallSignatures()
  const longest = lists.toSorted((one, other) => other.parameters.length - one.parameters.length)[0]
  return `(${longest?.parameters.map(nameOf).join(', ')})`
}

/** Names of a type's members that this repository declares, and the texts of which it is one. */
function membersOf(type: ts.Type, checker: ts.TypeChecker): readonly string[] {
  const parts = type.isUnion() ? type.types : [type]
  const names = parts.flatMap(part => {
    if (part.isStringLiteral()) return [`'${part.value}'`]
    return checker.getPropertiesOfType(part).filter(isOurs).map(nameOf)
  })
  return [...new Set(names)].sort()
}

/** Whether users see a member that this repository declares. Members of mapped types have no declaration. */
function isOurs({ name, declarations = [] }: ts.Symbol): boolean {
  const places = declarations.map(node => node.getSourceFile().fileName)
  return (
    /^\w/.test(name) && !name.startsWith('__') && places.every(place => !place.includes('/node_modules/'))
  )
}
