import { globSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { launchBrowser } from '@service-link/test-kit/browser'
import { listen, type TestServer } from '@service-link/test-kit/serve'
import { siteBase } from '../.vitepress/repository.ts'
import { checkPages } from './check-pages.ts'
import { checkUse } from './check-use.ts'

/** Generated pages are made of the same parts: the longest of them stand for all. */
const checkedApiPages = 12

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/**
 * Serves the built site, and checks it in a browser.
 *
 * @param site its folder
 * @returns the problems, and what was measured
 */
export async function checkSite(site: string): Promise<{ problems: string[]; measured: string }> {
  const all = globSync('**/*.html', { cwd: site })
    .map(path => path.replaceAll('\\', '/'))
    .sort()
  const byHand = all.filter(path => !path.startsWith('api/'))
  // A page without the theme, which its own test opens.
  const themed = byHand.filter(path => !path.startsWith('explain/'))
  const sizeOf = (path: string) => statSync(join(site, path)).size
  const generated = all
    .filter(path => path.startsWith('api/'))
    .sort((one, other) => sizeOf(other) - sizeOf(one))
  const pages = [...themed, ...generated.slice(0, checkedApiPages)]
  await using server = await serveFolder(site)
  const place = server.origin + siteBase.slice(0, -1)
  const browser = await launchBrowser()
  try {
    const { problems, heaviest } = await checkPages(browser, place, pages)
    problems.push(
      ...(await checkUse(
        browser,
        place,
        byHand.filter(path => path !== '404.html'),
      )),
    )
    return {
      problems,
      measured: `${pages.length} of ${all.length} pages in a browser; the heaviest is ${heaviest}`,
    }
  } finally {
    await browser.close()
  }
}

/** Serves a folder's files compressed, as the web server of a site does. */
function serveFolder(folder: string): Promise<TestServer> {
  return listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    try {
      const body = gzipSync(await readFile(join(folder, decodeURI(pathname.slice(siteBase.length)))))
      const type = types[extname(pathname)] ?? 'application/octet-stream'
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
}
