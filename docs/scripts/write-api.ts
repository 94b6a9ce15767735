import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  Application,
  type CommentDisplayPart,
  type Context,
  Converter,
  OptionDefaults,
  type ProjectReflection,
  ReflectionKind,
  type TypeDocOptions,
} from 'typedoc'
import { rootFolder } from '../.vitepress/repository.ts'

/**
 * Writes the API reference, a page for each entry of each package, from the doc lines into `docs/api`.
 *
 * @returns whether every export is documented, and every link in doc lines leads to an export; the problems were printed
 */
export async function writeApi(): Promise<boolean> {
  const entries = findEntries()
  const application = await Application.bootstrapWithPlugins({
    // By its place: TypeDoc would look among its own dependencies.
    plugin: [fileURLToPath(import.meta.resolve('typedoc-plugin-markdown'))],
    entryPoints: [...entries.keys()],
    basePath: rootFolder,
    tsconfig: join(rootFolder, 'tsconfig.json'),
    readme: 'none',
    disableSources: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    blockTags: [...OptionDefaults.blockTags, '@remedy', '@retry', '@seenBy'],
    preservedTypeAnnotationTags: ['@throws'],
    // `npm run check` compiles these files.
    skipErrorChecking: true,
    validation: { notExported: false, invalidLink: true, notDocumented: true },
    // What a reader calls comes before what it may throw.
    groupOrder: ['Functions', 'Variables', 'Interfaces', 'Type Aliases', 'Classes', '*'],
    requiredToBeDocumented: ['Class', 'Interface', 'Function', 'Variable', 'TypeAlias', 'Enum'],
    ...pageOptions,
  })
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    shortenErrors(project)
    listErrors(project)
    shortenSchemas(project)
  })
  const files = application.getEntryPoints() ?? []
  const project = application.converter.convert(
    files.map(file => ({ ...file, displayName: entries.get(file.sourceFile.fileName) ?? file.displayName })),
  )
  application.validate(project)
  await application.generateOutputs(project)
  return !application.logger.hasErrors() && !application.logger.hasWarnings()
}

/** Members that the classes of all errors have alike. Nobody but its function makes an error. */
const sharedMembers = ['constructor', 'message', 'name']

/** Leaves an error its code and facts: it extends what a function returns, whose text would stand at each member. */
function shortenErrors(project: ProjectReflection): void {
  for (const reflection of project.getReflectionsByKind(ReflectionKind.Class)) {
    if (!reflection.isDeclaration()) continue
    const members = [...(reflection.children ?? [])]
    const staticCode = members.find(({ name, flags }) => name === 'code' && flags.isStatic)
    if (!staticCode) continue
    // The error index has them.
    for (const tag of ['@remedy', '@retry', '@seenBy'] as const) reflection.comment?.removeTags(tag)
    delete reflection.extendedTypes
    for (const member of members) {
      delete member.inheritedFrom
      delete member.overwrites
      if (member === staticCode || sharedMembers.includes(member.name)) project.removeReflection(member)
    }
  }
}

/** Makes one list of the errors that a function throws, each with a link to its class. */
function listErrors(project: ProjectReflection): void {
  const classes = new Map(
    project.getReflectionsByKind(ReflectionKind.Class).map(reflection => [reflection.name, reflection]),
  )
  for (const { comment } of project.getReflectionsByKind(ReflectionKind.All)) {
    const [first, ...others] = comment?.blockTags.filter(({ tag }) => tag === '@throws') ?? []
    if (!comment || !first) continue
    first.content = [first, ...others].flatMap(({ typeAnnotation, content }): CommentDisplayPart[] => {
      const name = typeAnnotation?.slice(1, -1) ?? ''
      const target = classes.get(name)
      const shown: CommentDisplayPart[] = target
        ? [{ kind: 'inline-tag', tag: '@link', text: name, target }]
        : [{ kind: 'text', text: name }]
      return [{ kind: 'text', text: '\n- ' }, ...shown, { kind: 'text', text: ' ' }, ...content]
    })
    comment.blockTags = comment.blockTags.filter(tag => !others.includes(tag))
  }
}

/** Leaves schemas out of their types' arguments, which fill screens: the type that a schema writes has its own entry. */
function shortenSchemas(project: ProjectReflection): void {
  for (const reflection of project.getReflectionsByKind(ReflectionKind.All)) {
    if (!reflection.isDeclaration() || reflection.type?.type !== 'reference') continue
    if (reflection.type.package === 'zod') delete reflection.type.typeArguments
  }
}

/** What the plugin adds to TypeDoc's options. */
const pageOptions: TypeDocOptions = {
  outputs: [{ name: 'markdown', path: join(rootFolder, 'docs/api') }],
  ...({
    outputFileStrategy: 'members',
    // A page of its own for each would make the list of pages, which each page carries, the heaviest part.
    membersWithOwnFile: ['Function', 'Interface', 'Variable'],
    entryFileName: 'index.md',
    typeDeclarationVisibility: 'compact',
    hidePageHeader: true,
    hideBreadcrumbs: true,
  } satisfies object),
}

/** Source file of each entry that packages export → its specifier, without the scope that all share. */
function findEntries(): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  for (const manifest of globSync('packages/*/package.json', { cwd: rootFolder })) {
    const { name, exports } = JSON.parse(readFileSync(join(rootFolder, manifest), 'utf8'))
    for (const [entry, target] of Object.entries<Record<string, string>>(exports)) {
      const source = target['@service-link/source']
      if (source)
        entries.set(join(rootFolder, dirname(manifest), source), `${name.split('/')[1]}${entry.slice(1)}`)
    }
  }
  return entries
}
