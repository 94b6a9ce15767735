import { readdir, readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import type { TestPages } from './window-site.ts'

const folder = new URL('../../src/web-app/page/', import.meta.url)

/** The page entry's modules in browser form, for a test site: `/page/index.ts` is the entry. */
export async function pageModules(): Promise<TestPages> {
  const names = (await readdir(folder)).filter(name => !name.endsWith('.test.ts'))
  const modules = names.map(async name => {
    const source = await readFile(new URL(name, folder), 'utf8')
    return [`/page/${name}`, { type: 'text/javascript', body: stripTypeScriptTypes(source) }] as const
  })
  return Object.fromEntries(await Promise.all(modules))
}
