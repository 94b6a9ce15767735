import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

/** The repository's folder on this machine. */
export const rootFolder = fileURLToPath(root)

const { repository, homepage } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

/** Address of the repository on the web. The root manifest alone holds it. */
export const repositoryUrl: string = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

/** Path of the site on its host, such as `/service-link/`. */
export const siteBase: string = new URL(homepage).pathname
