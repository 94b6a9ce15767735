// The error index of the documentation: each code of each package, with its meaning, its remedy and its sentences.
// `node scripts/error-index.ts` writes `docs/errors/`, which git ignores; the build of the site does so too.
//
// An entry is a doc comment with the tags `@remedy`, `@retry` and `@seenBy`: above the class of a code, or above the member
// or the constant that has the code. Its first paragraph is the meaning.

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './structure.ts'

/** The people who meet an error. */
const readers = ["partner's developer", 'integrator', 'user', 'administrator', 'operator']

interface Doc {
  readonly meaning: string
  readonly remedy: string
  readonly retry: string
  /** Some {@link readers}. */
  readonly seenBy: string
}

/** One place that tells something of a code. */
interface Finding {
  readonly code: string
  /** The package's, from the repository's folder. */
  readonly folder: string
  /** Name of the class, where there is one. */
  readonly name?: string
  readonly doc?: Doc
  /** With `…` for each part that differs. */
  readonly sentences?: readonly string[]
  /** Of HTTP. */
  readonly status?: number
}

/** The launcher is written in C. */
const ofLauncher: Finding = {
  code: 'ERR_EXECUTABLE',
  folder: 'packages/wrapper-pack',
  doc: {
    meaning: 'The launcher of a packed wrapper cannot start the executable beside it.',
    remedy: 'Install the wrapper again.',
    retry: 'after the repair',
    seenBy: 'administrator, user',
  },
  sentences: [
    'The wrapper’s executable beside this launcher could not be started. Install the wrapper again.',
  ],
}

/** Reads the sources in which codes are defined and used: path from the repository's folder → text. */
export function readErrorSources(): ReadonlyMap<string, string> {
  const paths = globSync('{packages,internal,apps}/*/src/**/*.{ts,tsx}', { cwd: root })
  const sources = paths.filter(path => !/\.test\.tsx?$/.test(path)).sort()
  return new Map(sources.map(path => [path, readFileSync(join(root, path), 'utf8')]))
}

/**
 * Renders the index as pages of Markdown: `index.md` has every code, and a page a part its entries. The heading of an entry is
 * `## ERR_… {#err_…}`. One page of all would weigh more than the site's pages may.
 *
 * @returns name of the file → text
 * @throws {Error} naming each code that has no entry, several, or one that lacks a tag
 */
export function renderErrorIndex(sources: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const files = Array.from(sources, ([path, text]) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  )
  const classes = files.flatMap(file => nodesIn(file).flatMap(node => readClass(node, file) ?? []))
  const found = [ofLauncher, ...classes, ...files.flatMap(file => readFindings(file, classes))]
  const codes = Map.groupBy(found, ({ code }) => code)
  const problems = [...codes].flatMap(([code, findings]) => problemOf(code, findings) ?? [])
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const sorted = [...codes].sort(([a], [b]) => (a < b ? -1 : 1))
  const groups = Map.groupBy(sorted, ([, findings]) => findings.find(({ doc }) => doc)?.folder ?? '')
  const parts = [...groups].sort().map(([folder, codesOfPart]) => ({
    folder,
    file: `${folder.split('/')[1]}.md`,
    codesOfPart,
  }))
  const lists = parts.map(({ folder, file, codesOfPart }) => {
    const links = codesOfPart.map(
      ([code]) => `[${code}](./${file}#${code.toLowerCase()}){#${code.toLowerCase()}}`,
    )
    return `- ${partName(folder)}: ${links.join(', ')}\n`
  })
  const pages = parts.map(({ folder, file, codesOfPart }): [string, string] => {
    const entries = codesOfPart.map(([code, findings]) => renderEntry(code, findings))
    return [file, `# Errors of ${partName(folder)}\n\n${entries.join('\n')}`]
  })
  return new Map([['index.md', `${heading}\n${lists.join('')}`], ...pages])
}

/** An address of the index with a code goes on to the code's entry; without scripts the browser shows its link. */
const heading = `<script setup>
import { onMounted } from 'vue'
onMounted(() => {
  const link = document.getElementById(location.hash.slice(1))
  if (link?.tagName === 'A') location.replace(link.href)
})
</script>

# Errors

Each error has a code that never changes: match by it. Its \`docsUrl\`, the \`type\` of a problem document and the
standard error of the programs lead to its entry here. Search finds a message; \`…\` stands for a part that differs.
`

function problemOf(code: string, findings: readonly Finding[]): string | undefined {
  const docs = findings.flatMap(({ doc }) => doc ?? [])
  const [{ meaning, remedy, retry, seenBy } = { meaning: '', remedy: '', retry: '', seenBy: '' }] = docs
  if (docs.length !== 1) return `${code} has ${docs.length} doc comments with @remedy.`
  if (!meaning || !remedy || !retry) return `${code} needs a meaning, @remedy and @retry.`
  const isKnown = seenBy.split(', ').every(reader => readers.includes(reader))
  return isKnown ? undefined : `${code} needs @seenBy with some of: ${readers.join(', ')}.`
}

function renderEntry(code: string, findings: readonly Finding[]): string {
  const { doc } = findings.find(finding => finding.doc) ?? {}
  const defining = findings.filter(({ doc, name }) => doc ?? name)
  const places = [...Map.groupBy(defining, ({ folder }) => folder)].map(([folder, ofPart]) =>
    [ofPart.flatMap(({ name }) => (name ? `\`${name}\`` : [])).join(', '), partName(folder)]
      .filter(Boolean)
      .join(' of '),
  )
  const statuses = new Set(findings.flatMap(({ status }) => status ?? []))
  const sentences = new Set(findings.flatMap(({ sentences = [] }) => sentences))
  const lines = [
    `- **Remedy:** ${doc?.remedy}`,
    `- **Worth a retry:** ${doc?.retry}`,
    `- **Seen by:** ${doc?.seenBy}`,
    `- **From:** ${places.join('; ')}`,
    ...(statuses.size > 0 ? [`- **HTTP status:** ${[...statuses].join(', ')}`] : []),
    ...(sentences.size > 0 ? ['- **Messages:**'] : []),
    ...[...sentences].map(sentence => `  - ${escapeMarkdown(sentence)}`),
  ]
  return `## ${code} {#${code.toLowerCase()}}\n\n${doc?.meaning}\n\n${lines.join('\n')}\n`
}

/** A package by its name; a part that is not published as its users know it. */
function partName(folder: string): string {
  if (folder === 'internal/terminal') return 'the command-line programs'
  return folder === 'apps/service' ? 'the exercise service' : `\`@service-link/${folder.split('/')[1]}\``
}

const escapeMarkdown = (text: string) =>
  text
    .replaceAll(/[\\`*_[\]]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replaceAll('{', '&#123;')

/** A node with all nodes below it that are no types. */
function nodesIn(node: ts.Node): readonly ts.Node[] {
  const below: ts.Node[] = []
  ts.forEachChild(node, child => {
    if (!ts.isTypeNode(child) || ts.isExpressionWithTypeArguments(child)) below.push(...nodesIn(child))
  })
  return [node, ...below]
}

/** A class whose base is made of a code. */
function readClass(node: ts.Node, file: ts.SourceFile): (Finding & { readonly name: string }) | undefined {
  if (!ts.isClassDeclaration(node) || !node.name) return undefined
  const base = node.heritageClauses?.[0]?.types[0]?.expression
  const code = base && ts.isCallExpression(base) ? base.arguments[0] : undefined
  if (!base || !code || !isCode(code)) return undefined
  const told = nodesIn(base).filter(ts.isIdentifier)
  const parts = [base, ...told.flatMap(({ text }) => declarationOf(text, file) ?? [])]
  const sentences = parts.flatMap(sentencesIn)
  return { code: code.text, folder: folderOf(file), name: node.name.text, ...docOf(node), sentences }
}

/** What else a file tells: entries beside classes, statuses, and the sentences that errors are made with. */
function readFindings(file: ts.SourceFile, classes: readonly Finding[]): readonly Finding[] {
  const folder = folderOf(file)
  return nodesIn(file).flatMap((node): Finding[] => {
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
      const { text } = node.expression
      const named = classes.filter(({ name }) => name === text)
      const isOwn = file.statements.some(one => ts.isClassDeclaration(one) && one.name?.text === text)
      const made = named.find(one => one.folder === folder) ?? (isOwn ? undefined : named[0])
      const code = made?.code ?? [...(node.arguments ?? [])].find(isCode)?.text
      return code === undefined
        ? []
        : [{ code, folder, sentences: (node.arguments ?? []).flatMap(sentencesIn) }]
    }
    const { doc } = docOf(node)
    if (doc && !readClass(node, file)) {
      const code = nodesIn(node).find(isCode)?.text ?? ''
      return [{ code, folder, doc, sentences: sentencesIn(node) }]
    }
    const isStatus =
      ts.isPropertyAssignment(node) && ts.isNumericLiteral(node.initializer) && isCode(node.name)
    return isStatus ? [{ code: node.name.text, folder, status: Number(node.initializer.getText()) }] : []
  })
}

function isCode(node: ts.Node): node is ts.Identifier | ts.StringLiteral {
  return (ts.isStringLiteral(node) || ts.isIdentifier(node)) && /^ERR_[A-Z_]+$/.test(node.text)
}

const folderOf = ({ fileName }: ts.SourceFile) => fileName.split('/').slice(0, 2).join('/')

/** A constant or function of a file. */
function declarationOf(name: string, { statements }: ts.SourceFile): ts.Node | undefined {
  const declarations = statements.flatMap(
    (statement): (ts.FunctionDeclaration | ts.VariableDeclaration)[] => {
      if (ts.isFunctionDeclaration(statement)) return [statement]
      return ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : []
    },
  )
  return declarations.find(declaration => declaration.name?.getText() === name)
}

/** The doc comment right before a node, if it is an entry. */
function docOf(node: ts.Node): { readonly doc?: Doc } {
  if (!node.getSourceFile().text.includes('@remedy')) return {}
  const comment = node.getChildren().findLast(ts.isJSDoc)
  const tagOf = (name: string) => textOf(comment?.tags?.find(({ tagName }) => tagName.text === name)?.comment)
  if (!comment?.tags?.some(({ tagName }) => tagName.text === 'remedy')) return {}
  const [meaning = ''] = (ts.getTextOfJSDocComment(comment.comment) ?? '').split(/\n\s*\n/)
  const doc = { remedy: tagOf('remedy'), retry: tagOf('retry'), seenBy: tagOf('seenBy') }
  return { doc: { meaning: textOf(meaning), ...doc } }
}

function textOf(comment: Parameters<typeof ts.getTextOfJSDocComment>[0]): string {
  const text = ts.getTextOfJSDocComment(comment) ?? ''
  return text
    .replaceAll(/\{@link ([\w.]+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The texts below a node that can be sentences of a message: some words, from a capital letter or a part that differs. */
function sentencesIn(node: ts.Node): readonly string[] {
  const texts = nodesIn(node).flatMap(one => {
    if (ts.isStringLiteral(one) || ts.isNoSubstitutionTemplateLiteral(one)) return one.text
    if (!ts.isTemplateExpression(one)) return []
    return one.head.text + one.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
  })
  const plain = texts.map(text => text.replaceAll(/\s+/g, ' ').replaceAll(/…{2,}/g, '…').trim())
  return plain.filter(text => {
    const words = text.match(/(?<![\p{L}_])\p{L}{2,}/gu)?.length ?? 0
    return /^(?:[A-Z]|…:? \p{L})/u.test(text) && words >= (/[.…]$/.test(text) ? 2 : 3)
  })
}

if (import.meta.main) {
  const folder = join(root, 'docs/errors')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [file, text] of renderErrorIndex(readErrorSources())) writeFileSync(join(folder, file), text)
}
