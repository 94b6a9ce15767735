import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { describePacked, folder, nodeTypes, packages } from './packed.ts'

type Compiler = typeof ts

const older: () => Compiler = () => createRequire(join(folder, 'package.json'))('typescript-5.9')

const modules = [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['preserve', 'bundler'],
] as const

/** Under `module: node16` a CommonJS module imports an ES module by import() alone. */
const importing: Readonly<Record<string, (entry: string, at: number) => string>> = {
  'every-entry.mts': (entry, at) => `export * as entry${at} from '${entry}'\n`,
  'every-entry.cts': (entry, at) => `export const entry${at} = () => import('${entry}')\n`,
}

describePacked('strict types without DOM', () => {
  beforeAll(() => {
    const entries = packages.flatMap(each => each.entries)
    for (const [file, lineOf] of Object.entries(importing))
      writeFileSync(join(folder, file), entries.map(lineOf).join(''))
  })

  test.each([
    ...nodeTypes.flatMap(types => modules.map(module => ['6.0', types, ...module] as const)),
    ...modules.map(module => ['5.9', 20, ...module] as const),
  ])(
    'TypeScript %s, @types/node %i, module %s, resolution %s',
    (version, types, module, moduleResolution) => {
      const compiler = version === '6.0' ? ts : older()
      const files = [...Object.keys(importing), ...(module === 'node16' ? [] : ['require.cts'])]
      const { options, errors } = compiler.convertCompilerOptionsFromJson(
        {
          ...{ lib: ['es2022'], target: 'es2022', types: ['node'], typeRoots: [`types-${types}`] },
          ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
          ...{ skipLibCheck: false, module, moduleResolution },
        },
        folder,
      )
      expect(version.startsWith(compiler.versionMajorMinor)).toBe(true)
      expect(errors).toEqual([])
      expect(compile(compiler, options, files)).toEqual([])
    },
  )
})

/** Parsed files by compiler and way of parsing: each combination reads hundreds of the same files. */
const parsed = new Map<string, ts.SourceFile | undefined>()

function compile(compiler: Compiler, options: ts.CompilerOptions, files: readonly string[]): string[] {
  const host = compiler.createCompilerHost(options)
  const read = host.getSourceFile
  host.getCurrentDirectory = () => folder
  host.getSourceFile = (name, how, ...rest) => {
    const format = typeof how === 'object' ? how.impliedNodeFormat : undefined
    const key = `${compiler.version} ${format} ${options.moduleResolution} ${name}`
    if (!parsed.has(key)) parsed.set(key, read(name, how, ...rest))
    return parsed.get(key)
  }
  const program = compiler.createProgram(
    files.map(file => join(folder, file)),
    options,
    host,
  )
  return compiler.getPreEmitDiagnostics(program).map(({ file, messageText, start = 0 }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
    return `${file?.fileName}:${line} ${compiler.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}
