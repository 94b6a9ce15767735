import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandNames, isClassicCommandName } from '@service-link/protocol-core'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { encodeFrame } from '@service-link/protocol-core/frame'
import { describe, expect, test } from 'vitest'
import { reply, startServer, withVersion } from './_classic-server.ts'

const page = readFileSync(new URL('../../../docs/reference/pipe.md', import.meta.url), 'utf8')

/** The code blocks of a language, in the order of the page. */
function blocksOf(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
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

const programs = [
  { language: 'python', file: 'example.py', command: 'python3', check: ['--version'] },
  { language: 'java', file: 'PipeExample.java', command: 'java', check: ['--version'] },
]

describe('the example', () => {
  for (const { language, file, command, check } of programs) {
    test.runIf(isInstalled(command, check))(
      `[4.5-envelope] in ${language} runs as it is printed`,
      async () => {
        const person = '{"status":"created","userid":5,"customid":"4711"}'
        await using server = await startServer(
          withVersion(socket => reply(socket, person)),
          { brand: defaultBrand },
        )
        const folder = mkdtempSync(join(tmpdir(), 'pipe-page-'))
        try {
          writeFileSync(join(folder, file), blocksOf(language)[0] ?? '')
          const finished = await run(command, [join(folder, file), String(server.pid)])
          expect(finished).toEqual({ exitCode: 0, output: `3.0.0.0\n${person}\n` })
        } finally {
          rmSync(folder, { recursive: true })
        }
        expect(server.requests).toMatchObject([
          { Method: 'version' },
          { Method: 'selectperson', Args: { customid: '4711', firstname: 'Kåre', lastname: 'Nordmann' } },
        ])
      },
    )
  }
})

describe('the page', () => {
  test('prints the very bytes of a request and of its reply, in either mode', () => {
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

  test('tells the reply of every command of the classic mode', () => {
    const table = page.slice(page.indexOf('| command '), page.indexOf('When a command failed'))
    const named = [...table.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)
    expect(named.sort()).toEqual(commandNames.filter(isClassicCommandName).sort())
  })
})
