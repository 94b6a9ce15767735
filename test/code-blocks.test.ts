import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { type MemoryTerminal, memoryTerminal } from '../internal/terminal/src/testing.ts'
import { runServicePayload } from '../packages/jwt-payload/src/cli/run-service-payload.ts'
import { runServicePipe } from '../packages/pipe-client/src/cli/run-service-pipe.ts'
import { isEnd, lenientEndSchema, lenientPayloadSchema, readBy } from '../packages/protocol-core/src/index.ts'
import { readRegistrations } from '../packages/receiver/src/read-registrations.ts'
import { readConfigFile } from '../packages/wrapper-host/src/settings/config-file.ts'
import { parseXmlInput } from '../packages/xml-input/src/index.ts'

/*
 * Each block of a document is read by what reads it in earnest, and each command of ours by its help. Blocks of
 * TypeScript are compiled by examples.deep.test.ts; those of C#, Java and Python run in conformance/, and those of
 * what-travels.md in protocol-core.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'conformance/**/*.md', 'apps/*/README.md', 'bench/*.md'],
  { cwd: root, exclude: ['**/node_modules/**', 'docs/{api,errors,repository}/**', 'CHANGELOG.md'] },
)

/** The packer's types need those of a browser, which this project's tests do not have. */
const packer = new URL('../packages/wrapper-pack/src/', import.meta.url).href
const { readBrandFile } = await import(`${packer}brand/read-brand-file.ts`)
const { runServiceWebwrapperPack } = await import(`${packer}run-service-webwrapper-pack.ts`)

interface Block {
  readonly where: string
  readonly language: string
  readonly code: string
}

const blocks = documents.flatMap(document => {
  const text = readFileSync(root + document, 'utf8')
  return [...text.matchAll(/^( *)```(\w*).*\n([\s\S]*?)^ *```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: code = '' }): Block => ({
      where: `${document}:${text.slice(0, index).split('\n').length}`,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
})

const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language))

test('each block is in a language that a test reads', () => {
  const known = ['', 'ts', 'typescript', 'js', 'json', 'xml', 'html', 'sh', 'text', 'sql']
  const elsewhere = ['cs', 'csharp', 'java', 'py', 'python', 'php', 'pascal']
  expect(blocks.filter(({ language }) => ![...known, ...elsewhere].includes(language))).toEqual([])
  expect(blocks.length).toBeGreaterThan(60)
})

test.each(inLanguage('js', 'typescript'))('$where is JavaScript', ({ code }) => {
  const { diagnostics } = ts.transpileModule(code, { reportDiagnostics: true })
  expect(diagnostics).toEqual([])
})

/** What a JSON value of a page is, and what reads it. */
const readers: readonly [is: (value: object) => boolean, read: (value: object) => unknown][] = [
  [value => Array.isArray(value), readRegistrations],
  [
    value => 'organizationId' in value,
    claims => {
      const schema = isEnd(claims) ? lenientEndSchema : lenientPayloadSchema
      expect(readBy(schema, claims).issues).toBeUndefined()
    },
  ],
  [value => 'version' in value, brandOf],
  [
    value => 'requestId' in value,
    problem => expect(problem).toMatchObject({ type: expect.any(String), status: 422 }),
  ],
  [
    value => 'level' in value,
    line => expect(line).toMatchObject({ time: expect.any(String), event: expect.any(String) }),
  ],
]

/** Reads a brand file, whose address and name a page may leave out. */
async function brandOf(content: object) {
  const folder = await mkdtemp(join(tmpdir(), 'brand-'))
  try {
    const file = join(folder, 'brand.json')
    await writeFile(file, JSON.stringify({ name: 'Acme', appUrl: 'https://app.acme.example/', ...content }))
    await readBrandFile(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test.each(inLanguage('json').filter(({ where }) => !where.includes('what-travels')))(
  '$where is JSON that its reader takes',
  async ({ code }) => {
    const value = JSON.parse(code)
    const [, read] = readers.find(([is]) => is(value)) ?? []
    expect(read).toBeDefined()
    await read?.(value)
  },
)

test.each(inLanguage('xml'))('$where is XML that its reader takes', ({ code }) => {
  if (code.startsWith('<serviceinput')) expect(parseXmlInput(code).commands).not.toEqual([])
  else expect(readConfigFile(code, 'page').notices).toEqual([])
})

const shellBlocks = blocks.filter(
  ({ language, code }) => language === 'sh' || (language === '' && /^(npm|npx|node|service-)/.test(code)),
)

test.skipIf(process.platform === 'win32').each(shellBlocks)('$where is a script of a shell', ({ code }) => {
  expect(spawnSync('sh', ['-n'], { input: code, encoding: 'utf8' }).stderr).toBe('')
})

type RunProgram = (argv: readonly string[], terminal: MemoryTerminal) => Promise<number>

const programs: Readonly<Record<string, RunProgram>> = {
  'service-payload': runServicePayload,
  'service-pipe': runServicePipe,
  'service-webwrapper-pack': runServiceWebwrapperPack,
}

/** Our commands in blocks and between back-quotes: the program, its words and options. */
const commands = documents.flatMap(document => {
  const text = readFileSync(root + document, 'utf8')
  const code = [
    ...[...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, span = '']) => span),
    ...shellBlocks
      .filter(({ where }) => where.startsWith(`${document}:`))
      .flatMap(({ code }) => code.split('\n')),
  ]
  return code
    .flatMap(line => line.split(/ \| | && /))
    .map(line => /(?:^|\s)(service-(?:payload|pipe|webwrapper-pack)|npm run [\w:-]+)(?= |$)(.*)/.exec(line))
    .filter(found => found !== null)
    .map(([, program = '', rest = '']) => ({
      document,
      program,
      words: rest.replace(/ #.*/, '').trim().split(/\s+/),
    }))
})

test('each command of the root is there', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const names = commands.flatMap(({ program }) => /^npm run (\S+)/.exec(program)?.[1] ?? [])
  expect(names.filter(name => !(name in scripts))).toEqual([])
  expect(names.length).toBeGreaterThan(10)
})

test.each(Object.entries(programs))(
  '%s has each subcommand and option that a page names',
  async (name, run) => {
    const unknown: string[] = []
    for (const { document, program, words } of commands) {
      if (program !== name) continue
      const subcommand =
        /^[a-z]/.test(words[0] ?? '') && name !== 'service-webwrapper-pack' ? words.slice(0, 1) : []
      const terminal = memoryTerminal()
      const code = await run([...subcommand, '--help'], terminal)
      const options = words.filter(word => word.startsWith('--')).map(word => word.split('=')[0] ?? '')
      const missing = options.filter(option => !terminal.printed().includes(option))
      if (code !== 0) unknown.push(`${document}: ${name} ${subcommand}`)
      unknown.push(...missing.map(option => `${document}: ${name} ${subcommand} ${option}`))
    }
    expect(unknown).toEqual([])
  },
)
