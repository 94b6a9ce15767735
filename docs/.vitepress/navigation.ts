import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'
import { copiedPages } from './copied-pages.ts'

type Group = DefaultTheme.SidebarItem

const link = (text: string, page: string): Group => ({ text, link: `/${page}` })

const start: Group = {
  text: 'Start',
  items: [
    link('Open the service from a web page', 'start/open-the-service'),
    link('Drive the desktop program', 'start/drive-the-program'),
    link('Receive the link in a service', 'start/receive-the-link'),
    link('Build and brand a wrapper', 'start/brand-a-wrapper'),
    link('Review it for a hospital', 'start/review'),
  ],
}

const guides: Group = {
  text: 'Guides',
  items: [
    link('Open the service', 'guides/partner-link'),
    link('Keys', 'guides/partner-keys'),
    link('Drive the wrapper', 'guides/drive-the-wrapper'),
    link('The pipe from another language', 'guides/pipe-from-another-language'),
    link('Test with a service', 'guides/test-with-a-service'),
    link('Test with a wrapper', 'guides/test-with-a-wrapper'),
    link('Check it against the protocol', 'repository/conformance'),
    link('Receive the link', 'guides/receive-the-partner-link'),
    link('Run the service', 'guides/run-the-service'),
    link('Data of the service', 'guides/databases'),
    link('Log-in of patients', 'guides/consumer-log-in'),
    link('A wrapper of your own', 'guides/own-wrapper'),
    link('Pack and install it', 'guides/pack-a-wrapper'),
    link('A provider of your own', 'guides/own-provider'),
    link('An engine of your own', 'guides/own-engine'),
    link('Roll out', 'guides/roll-out'),
    link('Proxies', 'guides/proxies'),
    link('Questions by symptom', 'guides/faq'),
  ],
}

const reference: Group = {
  text: 'Reference',
  items: [
    link('What travels', 'reference/what-travels'),
    link('Fields of a person', 'reference/person'),
    link('Partner link', 'reference/partner-link'),
    link('Windows, frames, cookies', 'reference/partner-link-browser'),
    link('Command line', 'reference/command-line'),
    link('XML file', 'reference/xml-file'),
    link('Named pipe', 'reference/pipe'),
    link('Session mode', 'reference/session-mode'),
    link('Commands', 'reference/commands'),
    link('service-pipe', 'reference/service-pipe'),
    link('Settings and log', 'reference/settings'),
    link('Older programs', 'reference/older-programs'),
  ],
}

/** The parts whose codes are pages of their own. */
const pagesOfErrors = globSync('*.md', { cwd: fileURLToPath(new URL('../errors/', import.meta.url)) })
  .map(file => file.replace(/\.md$/, ''))
  .filter(part => part !== 'index')
  .sort()
  .map(part => link(part, `errors/${part}`))

const packages: Group = {
  text: 'Packages',
  items: [...copiedPages].flatMap(([document, page]) => {
    const [, name] = /^packages\/(.+)\/README\.md$/.exec(document) ?? []
    return name ? [link(name, page.replace(/\.md$/, ''))] : []
  }),
}

const errors: Group = {
  text: 'Errors',
  items: [
    link('Every code', 'errors/'),
    ...pagesOfErrors,
    // No page of the theme: it forbids itself every request.
    { ...link('Why is my payload refused?', 'explain/index.html'), target: '_self' },
  ],
}

/** The pages that list what an entry of a package exports. Each export's page is behind them. */
const entries: Group = {
  text: 'API, by entry',
  items: globSync('**/index.md', { cwd: fileURLToPath(new URL('../api/', import.meta.url)) })
    .map(file => file.replaceAll('\\', '/').replace(/\/?index\.md$/, ''))
    .filter(Boolean)
    .sort()
    .map(entry => link(entry, `api/${entry}/`)),
}

const reviewers: Group = {
  text: 'For reviewers',
  items: [
    link('Review it for a hospital', 'start/review'),
    link('Threat model', 'reference/threat-model'),
    link('The right patient', 'reference/right-patient'),
    link('Report a flaw', 'repository/security'),
    link('Versions', 'repository/versioning'),
  ],
}

const maintainers: Group = {
  text: 'For maintainers',
  items: [
    link('Architecture', 'architecture'),
    link('Decisions', 'decisions/'),
    link('Performance', 'performance'),
    link('A run on Windows', 'windows-checklist'),
    link('Tests and releases', 'repository/contributing'),
  ],
}

/** Pages by hand beside every page of theirs, in reading order; the entries of packages beside the generated ones. */
export const sidebar: Record<string, Group[]> = {
  '/': [start, guides, reference, packages, link('API', 'api/'), errors, reviewers, maintainers],
  '/api/': [entries],
}

/** The links at the top of every page. */
export const topLinks: DefaultTheme.NavItem[] = [
  { text: 'Start', link: '/start/open-the-service', activeMatch: '^/start/' },
  { text: 'Guides', link: '/guides/partner-link', activeMatch: '^/guides/' },
  { text: 'Reference', link: '/reference/what-travels', activeMatch: '^/reference/' },
  { text: 'Errors', link: '/errors/', activeMatch: '^/errors/' },
  { text: 'API', link: '/api/', activeMatch: '^/api/' },
]
