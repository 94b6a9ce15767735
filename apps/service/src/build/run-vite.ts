import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { textsIn } from '@service-link/ui/texts'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { pageFile } from '../server/http/own-site.ts'

// Builds the pages of some folders into one: `run-vite.ts <folder> <root…>`.

const [, , outDir = '', ...roots] = process.argv
if (roots.length === 0) throw new TypeError('Say where to build, and what.')

const uiFolder = join(import.meta.dirname, '..', '..', '..', '..', 'internal', 'ui', 'src')

const mantineStyles = join(import.meta.dirname, '..', '..', 'node_modules', '@mantine', 'core', 'styles')

/** Adds the style sheet of each Mantine component that a page uses; the whole sheet has ten times their size. */
const componentStyles: Plugin = {
  name: 'component-styles',
  transform(code, id) {
    const [, component] = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id) ?? []
    const sheet = join(mantineStyles, `${component}.layer.css`)
    if (component === undefined || !existsSync(sheet)) return undefined
    return { code: `${code}\nimport ${JSON.stringify(sheet)}`, map: null }
  },
}

/** The service's mark, as @service-link/ui draws it. */
const markOf = (size: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#0f766e"/><path d="M7 17.5h4.2l2.6-7 4.4 12 2.7-7.2h4.1" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/**
 * Makes a whole page of its file, which has title, style and script, and in `<body>` what is drawn until the script is there. The page
 * paints that with its inline style at once: its style sheet stands behind it, where it only holds back the script.
 */
const wholePage: Plugin[] = [
  {
    name: 'page-frame',
    transformIndexHtml: {
      order: 'pre',
      handler(file) {
        const [head, body] = file.replace('</body>', '').split('<body>')
        return `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<style>@import "@service-link/ui/boot.css";</style>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(markOf('32'))}" />
${head}</head>
<body><div id="root">${body}</div>
<noscript>{{noScript}}</noscript>
</body></html>
`
      },
    },
  },
  {
    name: 'sheets-last',
    transformIndexHtml: {
      order: 'post',
      handler(page) {
        const sheets = page.match(/<link rel="stylesheet"[^>]*>/g) ?? []
        const others = sheets.reduce((rest, sheet) => rest.replace(sheet, ''), page)
        return others.replace('</body>', `${sheets.join('')}</body>`)
      },
    },
  },
]

await Promise.all(roots.flatMap(root => globSync('*.html', { cwd: root }).map(page => buildPage(root, page))))

/** Builds a page apart from the others: one script and one style sheet draw it first, and the rest follows. */
async function buildPage(root: string, page: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    root,
    // Bundles the packages of this workspace from their sources, so they need no build.
    resolve: { conditions: ['@service-link/source', 'module', 'browser', 'production'] },
    plugins: [react(), componentStyles, wholePage],
    // A browser reads JSON faster than a script.
    json: { stringify: true },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      chunkSizeWarningLimit: 2000,
      // Each browser of the target preloads modules by itself.
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(root, page) },
    },
  })
  await writeLanguages(root, page)
}

/** Writes a page in each language. Its title names the folder of the catalogs whose texts it takes as `{{key}}`. */
async function writeLanguages(root: string, page: string): Promise<void> {
  const built = await readFile(join(outDir, page), 'utf8')
  const [attribute = '', folder = ''] = / data-texts="([^"]*)"/.exec(built) ?? []
  for (const language of ['nb', 'en'] as const) {
    const catalogs = [join(uiFolder, `page.${language}.json`), join(root, folder, `${language}.json`)]
    const read = catalogs.map(async file => textsIn(JSON.parse(await readFile(file, 'utf8'))))
    const texts = new Map((await Promise.all(read)).flat())
    const fill = (mark: string, key: string, size?: string) => {
      const text = texts.get(key)
      if (size !== undefined) return markOf(size)
      if (text === undefined)
        throw new TypeError(`${page}: the catalogs ${language} have no text for ${mark}.`)
      return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    }
    const written = built
      .replace(attribute, '')
      .replace('<html lang="en">', `<html lang="${language}">`)
      .replace(/\{\{([\w.]+)(?::(\d+))?\}\}/g, fill)
    await writeFile(join(outDir, pageFile(page.replace('.html', ''), language)), written)
  }
}

// Servers send the compressed files as they are.
const assets = globSync('**/*.{js,css}', { cwd: outDir }).map(file => join(outDir, file))
await Promise.all(assets.map(compressFile))

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
