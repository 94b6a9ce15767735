import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(new URL('../../../../docs/guides/electron-wrapper.md', import.meta.url), 'utf8')
const programs = [...guide.matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

// Here, and not with the other examples: only this package has Electron's types.
test.each(programs.map((code, index) => [index, code]))(
  'program %i of the guide compiles with Electron’s own types',
  { timeout: 300_000 },
  (index, code) => {
    const file = `${packageFolder}electron-program-${index}.ts`
    const { config } = ts.readConfigFile(`${packageFolder}../../tsconfig.base.json`, ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, packageFolder)
    const host = ts.createCompilerHost({ ...options, types: ['node'] })
    const fromDisk = { fileExists: host.fileExists, readFile: host.readFile }
    host.getCurrentDirectory = () => packageFolder
    host.fileExists = name => name === file || fromDisk.fileExists(name)
    host.readFile = name => (name === file ? code : fromDisk.readFile(name))
    const program = ts.createProgram([file], { ...options, types: ['node'] }, host)
    const problems = ts.getPreEmitDiagnostics(program, program.getSourceFile(file))
    expect(problems.map(problem => ts.flattenDiagnosticMessageText(problem.messageText, ' '))).toEqual([])
  },
)

test('the guide has programs', () => expect(programs).toHaveLength(2))
