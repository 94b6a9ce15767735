import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { describePacked, folder, installed, nodeTypes, packages } from './packed.ts'

type Compiler = typeof ts

/** The least one that the READMEs promise. */
const least: () => Compiler = () => createRequire(join(folder, 'package.json'))('typescript-least')

const modules = [
  ['node16', 'node16'],
  ['node18', 'node16'],
  ['node20', 'node16'],
  ['nodenext', 'nodenext'],
  ['preserve', 'bundler'],
] as const

/** Modules that the least compiler has. */
const leastModules = modules.filter(([module]) => !/18|20/.test(module))

const importing: Readonly<Record<string, (entry: string, at: number) => string>> = {
  'every-entry.mts': (entry, at) => `export * as entry${at} from '${entry}'\n`,
  'every-entry.cts': (entry, at) => `import entry${at} = require('${entry}')\nexport { entry${at} }\n`,
}

describePacked('strict types without DOM', () => {
  beforeAll(() => {
    const entries = packages.flatMap(each => each.entries)
    for (const [file, lineOf] of Object.entries(importing))
      writeFileSync(join(folder, file), entries.map(lineOf).join(''))
  })

  test.each([
    ...modules.map(module => ['newest', 20, ...module] as const),
    ...nodeTypes.slice(1).map(types => ['newest', types, 'nodenext', 'nodenext'] as const),
    ...leastModules.map(module => ['least', 20, ...module] as const),
  ])(
    'the %s TypeScript, @types/node %i, module %s, resolution %s',
    (version, types, module, moduleResolution) => {
      const compiler = version === 'newest' ? ts : least()
      const { options, errors } = compiler.convertCompilerOptionsFromJson(
        {
          ...{ lib: ['es2022'], target: 'es2022', types: ['node'], typeRoots: [`types-${types}`] },
          ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
          ...{ skipLibCheck: false, module, moduleResolution },
        },
        folder,
      )
      expect(errors).toEqual([])
      expect(compile(compiler, options, [...Object.keys(importing), 'require.cts'])).toEqual([])
    },
  )

  test('need no @types/node for the partner link in a browser or a worker', () => {
    const entries = packages.flatMap(each => each.entries).filter(entry => ofWeb.test(entry))
    const file = join(folder, 'web.mts')
    writeFileSync(file, entries.map(importing['every-entry.mts'] ?? String).join(''))
    const { options } = ts.convertCompilerOptionsFromJson(
      {
        lib: ['es2022', 'esnext.disposable', 'dom'],
        types: [],
        noEmit: true,
        strict: true,
        skipLibCheck: false,
        module: 'nodenext',
      },
      folder,
    )
    expect(entries).toContain('@service-link/receiver/testing')
    expect(compile(ts, options, ['web.mts'])).toEqual([])
  })

  test('the READMEs name the least TypeScript', () => {
    for (const { name } of packages.filter(({ entries }) => entries.length > 0))
      expect(readFileSync(installed(`${name}/README.md`), 'utf8')).toContain(
        `; TypeScript ${least().versionMajorMinor} or later.`,
      )
  })
})

/** Entries that run elsewhere too. */
const ofWeb = /^@service-link\/(jwt-payload|receiver(?!\/(node|test-service)))/

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
