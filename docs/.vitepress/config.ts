import { createCssVariablesTheme } from 'shiki'
import { defineConfig } from 'vitepress'
import { linkLikeTheRepository } from './links.ts'
import { sidebar, topLinks } from './navigation.ts'
import { repositoryUrl, siteBase } from './repository.ts'

/** Styles of parts that this site does not have, which every page would carry. */
const unusedStyles =
  /\/(@docsearch\/css\/|vp-sponsor\.css|VP(Team|Sponsors|Hero|Home|Feature|Badge|DocAsideSponsors|CarbonAds)\w*\.vue\?)/

const withoutStyles = {
  name: 'without-unused-styles',
  enforce: 'pre',
  transform: (_: string, id: string) => (unusedStyles.test(id) && id.endsWith('.css') ? '' : undefined),
} as const

/**
 * A page carries the names of all pages' files, and the pages of the API are most of them: a tenth of its bytes. For a name that
 * is missing VitePress fetches the whole list, once.
 */
function leaveOutApi(html: string, path: string): string {
  const own = path.replaceAll('/', '_').toLowerCase()
  return html.replaceAll(/\\"(api_[^"\\]+)\\":\\"[^"\\]+\\",/g, (entry, name) => (name === own ? entry : ''))
}

export default defineConfig({
  title: 'service-link',
  description: 'Open an exercise service with one person in focus, from the browser or the desktop.',
  lang: 'en-US',
  base: siteBase,
  head: [['link', { rel: 'icon', href: `${siteBase}mark.svg`, type: 'image/svg+xml' }]],
  // A folder's README is its page, on the site as in the repository.
  rewrites: { 'README.md': 'index.md', 'decisions/README.md': 'decisions/index.md' },
  srcExclude: ['node_modules/**'],
  // A visit asks for what it shows, and no more.
  router: { prefetchLinks: false },
  vite: {
    // The page that explains a refusal is built by itself.
    optimizeDeps: { entries: [] },
    // The theme's components have none.
    define: { __VUE_OPTIONS_API__: false },
    plugins: [withoutStyles],
  },
  markdown: {
    config: linkLikeTheRepository,
    image: { lazyLoading: true },
    // One color a token, which look.css gives in light and dark: two of each would be a fifth of a page's bytes.
    theme: createCssVariablesTheme({ name: 'variables' }),
  },
  themeConfig: {
    logo: '/mark.svg',
    nav: topLinks,
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // A code is one word, which a pasted message is found by.
        miniSearch: { options: { tokenize: text => text.match(/[\p{L}\p{N}_]+/gu) ?? [] } },
        // Of a generated page its title and first sentence: with all of them the index has two megabytes.
        _render: (source, env, markdown) =>
          markdown.render(
            env.relativePath.startsWith('api/') ? (source.split(/^## /m)[0] ?? '') : source,
            env,
          ),
      },
    },
    socialLinks: [{ icon: 'github', link: repositoryUrl, ariaLabel: 'Repository' }],
    externalLinkIcon: true,
  },
  transformHtml: (html, _file, { pageData }) => leaveOutApi(html, pageData.relativePath),
  transformPageData(page) {
    if (page.relativePath === 'index.md')
      Object.assign(page.frontmatter, { sidebar: false, aside: false, pageClass: 'home' })
  },
})
