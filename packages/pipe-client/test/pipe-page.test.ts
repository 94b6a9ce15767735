import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandNames, isClassicCommandName } from '@service-link/protocol-core'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { encodeFrame } from '@service-link/protocol-core/frame'
import { describe, expect, test } from 'vitest'
import { reply, startServer, withVersion } from './support/classic-server.ts'

const docs = new URL('../../../docs/', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, docs), 'utf8')
const page = textOf('reference/pipe.md')

/** The code blocks of a language, in the order of the page. */
function blocksOf(language: string, text = page): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  )
}

function isInstalled(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

interface Finished {
  readonly exitCode: number | null
  readonly output: string
}

function run(command: string, args: readonly string[]): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', text => {
        output += text
      })
    child.on('error', reject)
    child.on('close', exitCode => resolve({ exitCode, output }))
  })
}

const hasJava = isInstalled('java', ['--version'])
const why = hasJava ? '' : ' (skipped: there is no Java here)'

describe('the example', () => {
  test.runIf(hasJava)(`[4.5-envelope] in Java runs as printed${why}`, async () => {
    const person = '{"status":"created","userid":5,"customid":"4711"}'
    await using server = await startServer(
      withVersion(socket => reply(socket, person)),
      { brand: defaultBrand },
    )
    const folder = mkdtempSync(join(tmpdir(), 'pipe-page-'))
    try {
      writeFileSync(join(folder, 'PipeExample.java'), blocksOf('java')[0] ?? '')
      const finished = await run('java', [join(folder, 'PipeExample.java'), String(server.pid)])
      expect(finished).toEqual({ exitCode: 0, output: `3.0.0.0\n${person}\n` })
    } finally {
      rmSync(folder, { recursive: true })
    }
    expect(server.requests).toMatchObject([
      { Method: 'version' },
      { Method: 'selectperson', Args: { customid: '4711', firstname: 'Kåre', lastname: 'Nordmann' } },
    ])
  })
})

describe('the page', () => {
  test('prints the exact bytes of a request and its reply, in either mode', () => {
    const frames = blocksOf('text').map(block => block.replaceAll(/\s/g, ''))
    const bodies = [
      '{"Method":"version"}',
      '3.0.0.0',
      '{"Id":1,"Method":"version"}',
      '{"Id":1,"Result":"3.0.0.0"}',
    ]
    const expected = bodies.map(text => Buffer.from(encodeFrame(text)).toString('hex'))
    expect(frames).toEqual(expected)
  })

  test('has the reply of every command of the classic mode', () => {
    const table = page.slice(page.indexOf('| command '), page.indexOf('When a command failed'))
    const named = [...table.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)
    expect(named.sort()).toEqual(commandNames.filter(isClassicCommandName).sort())
  })
})

describe('the guide to the pipe from another language', () => {
  const guide = textOf('guides/pipe-from-another-language.md')

  test('shows the file that tests build and run', () => {
    expect(blocksOf('csharp', guide)).toEqual([textOf('../conformance/csharp/ServicePipe.cs')])
  })

  test('uses it like the tested program', () => {
    const program = textOf('../conformance/csharp/Program.cs').replaceAll(/^ {4}/gm, '')
    const used = blocksOf('cs', guide)
    expect(used).toHaveLength(1)
    expect(program).toContain(used[0])
  })

  test.each([...guide.matchAll(/\]\((\.\.?\/[^)#]+)/g)].map(([, link = '']) => link))('links to %s', link => {
    expect(existsSync(new URL(`guides/${link}`, docs))).toBe(true)
  })
})
