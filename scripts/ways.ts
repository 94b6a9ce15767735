// The ways through the packages, file by file. `node scripts/ways.ts` measures them and writes their lists into
// `docs/architecture.md`.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './structure.ts'

/** Way → source files in the order in which they run. `file` is a branch of `launch`. */
export type Ways = Readonly<Record<string, readonly string[]>>

const page = join(root, 'docs/architecture.md')

/** Files that the measurement has not: of the program's entry, the window's engine and a browser. */
const start = ['service-webwrapper', 'run-program'].map(name => `packages/wrapper-host/src/cli/${name}.ts`)
const engine = ['chromium/chromium-window', 'page/page-window', 'page/host-world'].map(
  name => `packages/window-engine/src/${name}.ts`,
)
const browser = [
  ...['main.tsx', 'session/visit.ts', 'session/session-gate.tsx', 'shell/shell.tsx', 'shell/person-bar.tsx'],
  ...['api/queries.ts', 'api/request.ts'],
].map(name => `apps/service/src/web/${name}`)

/** Runs each way in another process. What stands in for a browser there gives place to what does the work. */
export function measureWays(): Ways {
  const program = join(root, 'apps/service/test/support/measure-ways.ts')
  const notes = join(root, 'scripts/note-files.ts')
  const args = ['-C', '@service-link/source', '--import', notes, program]
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 10_000_000 })
  const measured: Ways = JSON.parse(output)
  const {
    launch = [],
    file = [],
    call = [],
    post = [],
  } = Object.fromEntries(
    Object.entries(measured).map(([way, files]) => [way, files.filter(path => !path.includes('/testing/'))]),
  )
  return {
    post: [...post, ...browser],
    launch: [...start, ...launch, ...engine],
    file: file.filter(path => !launch.includes(path)),
    call: [...call, ...engine],
  }
}

const listsOfPage = /(<!-- ran: (\w+) -->\n)([\s\S]*?)(\n<!-- end -->)/g

/** The lists of the page, with the number that it says. */
export function readWays(): ReadonlyMap<
  string,
  { readonly said: number; readonly files: readonly string[] }
> {
  const lists = readFileSync(page, 'utf8').matchAll(listsOfPage)
  return new Map(
    Array.from(lists, ([, , way = '', list = '']) => {
      const files = Array.from(list.matchAll(/\]\(\.\.\/([^)]+)\)/g), ([, path = '']) => path)
      return [way, { said: Number(/\d+/.exec(list)?.[0]), files }]
    }),
  )
}

/** Neighbors in one package share a line. */
function listOf(files: readonly string[]): string {
  const lines: { name: string; links: string[] }[] = []
  for (const path of files) {
    const [, name = '', file = ''] = /^[^/]+\/([^/]+)\/src\/(.*)\.tsx?$/.exec(path) ?? []
    const link = `[${file}](../${path})`
    if (lines.at(-1)?.name === name) lines.at(-1)?.links.push(link)
    else lines.push({ name, links: [link] })
  }
  const items = lines.map(({ name, links }) => `- ${name}: ${links.join(', ')}`)
  return `${files.length} files:\n\n${items.join('\n')}\n`
}

function writeWays(): void {
  const ways = measureWays()
  const text = readFileSync(page, 'utf8').replace(
    listsOfPage,
    (_, start: string, way: string, _list: string, end: string) =>
      `${start}\n${listOf(ways[way] ?? [])}${end}`,
  )
  writeFileSync(page, text)
}

if (import.meta.main) writeWays()
