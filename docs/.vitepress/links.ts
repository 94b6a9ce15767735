import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { MarkdownOptions } from 'vitepress'
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

const docsFolder = join(rootFolder, 'docs')

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

function readdress(token: Token, { path }: { readonly path: string }): void {
  const [target = '', anchor] = (token.attrGet('href') ?? '').split('#')
  if (target === '' || target.startsWith('/') || /^[a-z]+:/.test(target)) return
  const file = resolve(dirname(path), decodeURI(target))
  const after = anchor === undefined ? '' : `#${anchor}`
  const isPage = file.startsWith(docsFolder + sep) && file.endsWith('.md')
  if (isPage) token.attrSet('href', target.replace(/\bREADME\.md$/, 'index.md') + after)
  else token.attrSet('href', addressOf(file, path) + after)
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
