import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { MarkdownOptions } from 'vitepress'
import { copiedPages } from './copied-pages.ts'
import { repositoryUrl, rootFolder } from './repository.ts'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Token = ReturnType<Markdown['parse']>[number]

/** Section of the specification → the page that says it to readers, and more than the section does. */
const pageOfSection: Readonly<Record<string, string>> = {
  '1': '/reference/what-travels.md',
  '2.1': '/reference/partner-link.md',
  '2.2': '/reference/settings.md',
  '2.3': '/reference/commands.md',
  '4.1': '/reference/partner-link.md',
  '4.2': '/reference/command-line.md',
  '4.3': '/reference/command-line.md',
  '4.4': '/reference/xml-file.md',
  '4.5': '/reference/pipe.md',
  '5.1': '/reference/partner-link.md',
  '8': '/reference/older-programs.md',
  '9': '/reference/older-programs.md',
}

/**
 * Makes links work on the site that are written for the repository: those to files outside of the site lead to the
 * repository's address, those to a `README.md` to its folder's page, and `spec 4.5` to the page of that section.
 *
 * @throws TypeError for a file or a section that does not exist, which fails the build
 */
export function linkLikeTheRepository(markdown: Markdown): void {
  markdown.core.ruler.push('links_of_the_repository', state => {
    for (const inline of state.tokens) {
      if (inline.type !== 'inline' || !inline.children) continue
      for (const token of inline.children) if (token.type === 'link_open') readdress(token, state.env)
      inline.children = linkSections(inline.children, state.Token)
    }
  })
}

/** What VitePress says of the page that is rendered. */
interface PageEnvironment {
  readonly path: string
  readonly frontmatter?: { readonly source?: string }
}

function readdress(token: Token, { path, frontmatter }: PageEnvironment): void {
  const [target = '', anchor] = (token.attrGet('href') ?? '').split('#')
  const published = /^(?:blob|tree)\/main\/(.+)$/.exec(target.split(`${repositoryUrl}/`)[1] ?? '')?.[1]
  if (target === '' || target.startsWith('/') || (!published && /^[a-z]+:/.test(target))) return
  const place = frontmatter?.source === undefined ? path : join(rootFolder, frontmatter.source)
  const file = published ? join(rootFolder, published) : resolve(dirname(place), decodeURI(target))
  const after = anchor === undefined ? '' : `#${anchor}`
  token.attrSet('href', (pageOf(file) ?? addressOf(file, place)) + after)
}

/** The page of the site that a file of the repository is. */
function pageOf(file: string): string | undefined {
  const document = relative(rootFolder, file).split(sep).join('/')
  const copied = copiedPages.get(document) ?? copiedPages.get(`${document}/README.md`)
  if (copied) return `/${copied}`
  const [, page] = /^docs\/(.+\.md)$/.exec(document) ?? []
  return page && `/${page.replace(/\bREADME\.md$/, 'index.md')}`
}

function addressOf(file: string, page: string): string {
  if (!existsSync(file)) throw new TypeError(`${page} links to ${file}, which does not exist.`)
  const kind = statSync(file).isDirectory() ? 'tree' : 'blob'
  return `${repositoryUrl}/${kind}/main/${relative(rootFolder, file).split(sep).join('/')}`
}

/** Splits texts at mentions of the specification, and links those. Code has other tokens, and stays. */
function linkSections(
  tokens: readonly Token[],
  TokenClass: new (...args: [string, string, -1 | 0 | 1]) => Token,
) {
  let linksAround = 0
  return tokens.flatMap(token => {
    if (token.type === 'link_open') linksAround++
    if (token.type === 'link_close') linksAround--
    if (token.type !== 'text' || linksAround > 0) return [token]
    return token.content.split(/(\bspec(?:ification)? \d+(?:\.\d+)?)/).flatMap((text, index) => {
      const part = new TokenClass('text', '', 0)
      part.content = text
      if (index % 2 === 0) return [part]
      const section = text.split(' ')[1] ?? ''
      const page = pageOfSection[section]
      if (!page) throw new TypeError(`No page is known for section ${section} of the specification.`)
      const opening = new TokenClass('link_open', 'a', 1)
      opening.attrSet('href', page)
      return [opening, part, new TokenClass('link_close', 'a', -1)]
    })
  })
}
