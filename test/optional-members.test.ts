import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The source of each entry of each published package. */
const entries = globSync('packages/*/package.json', { cwd: root }).flatMap(manifest => {
  const {
    exports,
  }: { readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>> } = JSON.parse(
    readFileSync(root + manifest, 'utf8'),
  )
  return Object.values(exports).flatMap(entry => {
    const source = typeof entry === 'string' ? undefined : entry['@service-link/source']
    return source === undefined ? [] : [root + manifest.replace('package.json', '') + source]
  })
})

const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, ts.sys.readFile)
const { options } = ts.convertCompilerOptionsFromJson(
  { ...config.compilerOptions, customConditions: ['@service-link/source'], noEmit: true },
  root,
)

/** Finds optional members of exported types, and of the types that these name, which refuse `undefined`. */
function refusals(program: ts.Program): string[] {
  const checker = program.getTypeChecker()
  const seen = new Set<ts.Type>()
  const found = new Set<string>()
  /** Members that a mapped type makes have no declaration, or that of another type. */
  const placeOf = ({ declarations = [] }: ts.Symbol, owner: string) => {
    const files = declarations.map(node => node.getSourceFile().fileName)
    const file = files.find(file => file.startsWith(`${root}packages/`))
    return file?.slice(root.length) ?? (files.length > 0 ? undefined : owner)
  }

  function visitMember(member: ts.Symbol, owner: string): void {
    const type = checker.getTypeOfSymbol(member)
    const place = placeOf(member, owner)
    if (place === undefined) return
    const parts = type.isUnion() ? type.types : [type]
    // The type of a missing member is another one where exactOptionalPropertyTypes is set.
    const takesUndefined = parts.some(
      part => part === checker.getUndefinedType() || part.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown),
    )
    if (member.flags & ts.SymbolFlags.Optional && !takesUndefined) found.add(`${place}: ${member.name}`)
    visit(type, place)
  }

  function visit(type: ts.Type, owner: string): void {
    if (seen.has(type)) return
    seen.add(type)
    for (const part of partsOf(type)) visit(part, owner)
    // A part of a union or an intersection has the members; those of a tuple are its arguments.
    if (type.isUnionOrIntersection() || checker.isTupleType(type)) return
    for (const member of type.getProperties()) visitMember(member, owner)
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      for (const parameter of signature.parameters) visit(checker.getTypeOfSymbol(parameter), owner)
      visit(signature.getReturnType(), owner)
    }
  }

  function partsOf(type: ts.Type): readonly ts.Type[] {
    if (type.isUnionOrIntersection()) return type.types
    const constraint = type.isTypeParameter() ? type.getConstraint() : undefined
    const named = [...(type.aliasTypeArguments ?? []), ...checker.getTypeArguments(type as ts.TypeReference)]
    return constraint ? [...named, constraint] : named
  }

  for (const entry of entries) {
    const file = program.getSourceFile(entry)
    const module = file && checker.getSymbolAtLocation(file)
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      if (symbol.flags & ts.SymbolFlags.Value) visit(checker.getTypeOfSymbol(symbol), exported.name)
      if (symbol.flags & ts.SymbolFlags.Type) visit(checker.getDeclaredTypeOfSymbol(symbol), exported.name)
    }
  }
  return [...found].sort()
}

test('every optional member of an exported type accepts undefined', () => {
  expect(entries.length).toBeGreaterThan(20)
  expect(refusals(ts.createProgram(entries, options))).toEqual([])
})
