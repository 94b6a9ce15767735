import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Examples are compiled as modules of the demo, which depends on every package, or of the package that has the web frameworks. */
const folderOf = (text: string) => `${root}${projectOf(text)}/examples-of-the-documentation/`

function projectOf(text: string): string {
  if (text.includes("'@service-link/conformance'")) return 'packages/conformance'
  return /'(express|fastify|@service-link\/receiver.*)'/.test(text) ? 'packages/receiver' : 'apps/demo'
}

interface Example {
  readonly document: string
  readonly line: number
  readonly code: string
}

/** Every TypeScript block and file of the documentation. The files lie beside the blocks of the receiver’s guide, which import some. */
function findExamples(): Map<string, Example> {
  const examples = new Map<string, Example>()
  for (const document of globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'apps/*/README.md'], {
    cwd: root,
    exclude: ['docs/{api,errors,repository}/**'],
  })) {
    const text = readFileSync(root + document, 'utf8')
    for (const [index, block] of [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].entries()) {
      const line = text.slice(0, block.index).split('\n').length + 1
      const code = `${block[1]}\nexport {}\n`
      // A block that begins with its file's name can be imported by others of its page.
      const [, name = `${index}.ts`] = /^\/\/ (\S+\.ts)\n/.exec(code) ?? []
      examples.set(`${folderOf(text)}${document}/${name}`, { document, line, code })
    }
  }
  for (const path of globSync('docs/examples/*/*.ts', { cwd: root })) {
    const code = readFileSync(root + path, 'utf8')
    const guide = `${root}packages/receiver/examples-of-the-documentation/docs/guides/receive-the-partner-link.md`
    examples.set(`${guide}/${basename(path)}`, { document: path, line: 1, code })
  }
  return examples
}

function compile(examples: ReadonlyMap<string, Example>): string[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = ts.createCompilerHost({ ...options, types: ['node'] })
  const fromDisk = { fileExists: host.fileExists, readFile: host.readFile }
  host.getCurrentDirectory = () => root
  host.directoryExists = () => true
  // The registrations that a guide's server imports.
  const dataOf = (file: string) => (file.endsWith('/partners.json') ? '[]' : undefined)
  host.fileExists = file => examples.has(file) || dataOf(file) !== undefined || fromDisk.fileExists(file)
  host.readFile = file => examples.get(file)?.code ?? dataOf(file) ?? fromDisk.readFile(file)
  const program = ts.createProgram([...examples.keys()], { ...options, types: ['node'] }, host)
  return ts.getPreEmitDiagnostics(program).map(diagnostic => {
    const example = examples.get(diagnostic.file?.fileName ?? '')
    const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0
    const where = example ? `${example.document}:${example.line + line}` : (diagnostic.file?.fileName ?? '')
    return `${where} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`
  })
}

// One compiler run over every package takes seconds on an idle machine.
test('every TypeScript example of the documentation compiles', { timeout: 300_000 }, () => {
  const examples = findExamples()
  expect(examples.size).toBeGreaterThan(10)
  expect(compile(examples)).toEqual([])
})
