import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { describePacked, folder, nodeTypes, packages } from './packed.ts'

type Compiler = typeof ts

const older: () => Compiler = () => createRequire(join(folder, 'package.json'))('typescript-5.9')

const modules = [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['preserve', 'bundler'],
] as const

describePacked('strict types without DOM', () => {
  test.each([
    ...nodeTypes.flatMap(types => modules.map(module => ['6.0', types, ...module] as const)),
    ...modules.map(module => ['5.9', 20, ...module] as const),
  ])(
    'TypeScript %s, @types/node %i, module %s, resolution %s',
    (version, types, module, moduleResolution) => {
      const compiler = version === '6.0' ? ts : older()
      const files = ['every-entry.mts', 'every-entry.cts', ...(module === 'node16' ? [] : ['require.cts'])]
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

test.each(['every-entry.mts', 'every-entry.cts'])('%s imports every entry', file => {
  const program = readFileSync(new URL(`programs/${file}`, import.meta.url), 'utf8')
  const entries = packages.flatMap(each => each.entries)
  expect(entries.filter(entry => !program.includes(`'${entry}'`))).toEqual([])
})
