import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { TestPages } from './site.ts'

const entry = fileURLToPath(
  new URL('../../../packages/wrapper-host/src/web-app/page/index.ts', import.meta.url),
)

/** The page entry as a browser loads it, for a test site: `/page/index.ts`, with all that it imports. */
export async function pageModules(): Promise<TestPages> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    conditions: ['@service-link/source'],
    bundle: true,
    format: 'esm',
    write: false,
  })
  return { '/page/index.ts': { type: 'text/javascript', body: outputFiles[0]?.text ?? '' } }
}
