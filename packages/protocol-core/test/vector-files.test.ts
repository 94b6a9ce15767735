import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = `${root}conformance/vectors/`
const readText = (file: string) => readFileSync(folder + file, 'utf8')

/** `vectors.schema.json` defines the form of each file, for other implementations too. */
const schema: z.core.JSONSchema.JSONSchema = JSON.parse(readText('vectors.schema.json'))
const names = Object.keys(schema.$defs ?? {}).filter(name => readdirSync(folder).includes(`${name}.json`))
const readme = readText('README.md')

interface Vector {
  readonly id: string
  readonly name: string
  readonly input: { readonly file?: string }
  readonly error?: { readonly code: string }
}

function vectorsOf(name: string): readonly Vector[] {
  return JSON.parse(readText(`${name}.json`)).vectors
}

function formOf(name: string): z.ZodType {
  return z.fromJSONSchema({ ...schema, $ref: `#/$defs/${name}` })
}

/** Every code that our sources contain. */
const codes = new Set(
  globSync('packages/*/src/**/*.ts', { cwd: root })
    .filter(file => !file.endsWith('.test.ts'))
    .flatMap(file => readFileSync(root + file, 'utf8').match(/(?<=')ERR_[A-Z0-9_]+(?=')/g) ?? []),
)

describe('the vector files', () => {
  test('match the schema and the list in their README', () => {
    const files = readdirSync(folder).filter(file => file.endsWith('.json'))
    const withVectors = files.filter(file => 'vectors' in JSON.parse(readText(file)))
    expect(withVectors.sort()).toEqual(names.map(name => `${name}.json`).sort())
    const listed = [...readme.matchAll(/^- \[`([\w-]+\.json)`\]/gm)].map(([, file]) => file)
    expect(listed.sort()).toEqual(withVectors.sort())
  })

  test('use every file beside them, and no other', () => {
    const used = names.flatMap(name => vectorsOf(name).map(({ input }) => input.file)).filter(Boolean)
    const stored = readdirSync(`${folder}files`, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => `${entry.parentPath}/${entry.name}`.slice(folder.length).replaceAll('\\', '/'))
    expect([...new Set(used)].sort()).toEqual(stored.sort())
  })
})

describe.each(names)('%s.json', name => {
  test('has the form of the schema', () => {
    const { error } = formOf(name).safeParse(JSON.parse(readText(`${name}.json`)))
    expect(error && z.prettifyError(error)).toBeUndefined()
  })

  test('has unique ids and unique names', () => {
    const vectors = vectorsOf(name)
    expect(duplicatesOf(vectors.map(({ id }) => id))).toEqual([])
    expect(duplicatesOf(vectors.map(vector => vector.name))).toEqual([])
  })

  test('has only codes that our code fails with', () => {
    const unknown = vectorsOf(name).filter(({ error }) => error && !codes.has(error.code))
    expect(unknown.map(({ id }) => id)).toEqual([])
  })
})

function duplicatesOf(texts: readonly string[]): string[] {
  return texts.filter((text, at) => texts.indexOf(text) !== at)
}

const hasPython = spawnSync('python3', ['--version']).status === 0
const needsPython = Boolean(process.env.CI) && process.platform !== 'win32'
if (!hasPython) console.error('The runner in the README of the vectors is not run: python3 is not installed.')

// Runs in CI, where it fails without python3. Windows has no program of that name.
describe.runIf(hasPython || needsPython)('the runner printed in the README', () => {
  const [, runner = ''] = /^```python\n(.*?)^```/ms.exec(readme) ?? []

  /** An implementation that reads versions, and takes numbers up to the second argument. */
  const implementation = `
import re, sys
class Refused(Exception):
    code = "ERR_VERSION"
def decode(given):
    if "left" in given:
        left, right = (read(given[side])[:given["parts"]] for side in ("left", "right"))
        return {"sign": (left > right) - (left < right)}
    return {"parts": read(given["text"])}
def read(text):
    parts = re.fullmatch(r"\\s*([0-9]+)\\.([0-9]+)\\.([0-9]+)\\.([0-9]+)\\s*", text)
    if not parts or any(int(part) > largest for part in parts.groups()):
        raise Refused
    return [int(part) for part in parts.groups()]
`

  test('reports no failure of a right implementation, and some of a wrong one', () => {
    const runs = 'for largest in (65535, 65534): print("failures", run(sys.argv[1], decode))'
    const program = `${implementation}\n${runner}\n${runs}`
    const output = execFileSync('python3', ['-c', program, `${folder}versions.json`], { encoding: 'utf8' })
    const [right, wrong] = [...output.matchAll(/^failures (\d+)$/gm)].map(([, count]) => Number(count))
    expect(right).toBe(0)
    expect(wrong).toBeGreaterThan(0)
  })
})
