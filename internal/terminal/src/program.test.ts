import { describe, expect, test } from 'vitest'
import {
  createProgram,
  Option,
  paint,
  parseWords,
  plainJson,
  plainLine,
  tellFailure,
  withProgress,
  wrapText,
} from './index.ts'
import { memoryTerminal } from './testing.ts'

function makeProgram() {
  const program = createProgram('service-x', 'Does something.', '1.2.3')
  program
    .command('post')
    .description('Posts it.')
    .argument('<url>')
    .requiredOption('--key <file>', 'key')
    .addOption(new Option('--accept <what>', 'form').choices(['json', 'page']))
    .action(() => {})
  program.command('rest').action(() => {})
  return program
}

describe('a command line that is refused', () => {
  test('without subcommands, for a word too many', () => {
    const program = createProgram('service-x', 'Does something.', '1.2.3')
    const parse = () => parseWords(program.argument('<file>').allowExcessArguments(false), ['a', 'b'])
    expect(parse).toThrow(/^Too many arguments\.$/)
  })

  const secret = "Kari' is invalid. (Did you mean x?)"
  const misuses: [string[], string][] = [
    [[], 'Name a subcommand.'],
    [[secret], 'There is no such subcommand.'],
    [['pos'], 'There is no such subcommand. Did you mean post?'],
    [['post', 'u', '--key', 'k', '--ACCEPT', 'page'], 'There is no such option. Did you mean --accept?'],
    [['--key', secret, 'post', 'u'], 'Write --key after the subcommand: service-x post --key <file>'],
    [['--accept=page'], 'Write --accept after the subcommand: service-x <subcommand> --accept <what>'],
    [['rest', secret], 'rest takes no arguments.'],
    [['psot'], 'There is no such subcommand. Did you mean post?'],
    [['help', 'psot'], 'There is no such subcommand. Did you mean post?'],
    [['help', secret], 'There is no such subcommand.'],
    [['post', 'u', '--key', 'k', `--${secret}`], 'There is no such option.'],
    [['post', 'u', '--key', 'k', '--kye', 'k'], 'There is no such option. Did you mean --key?'],
    [['post', 'u', '--key'], "Option '--key <file>' argument missing."],
    [['post', 'u'], "Required option '--key <file>' not specified."],
    [['post', 'u', '--kye', secret], 'There is no such option. Did you mean --key?'],
    [['post', 'u', '--KEY=k'], 'There is no such option. Did you mean --key?'],
    [['post', 'u', '--certificate', 'k'], "Required option '--key <file>' not specified."],
    [['post', '--key', 'k'], "Missing required argument 'url'."],
    [['post', 'u', secret, '--key', 'k'], "Too many arguments for 'post'."],
    [['post', 'u', '--key', 'k', '--accept', secret], '--accept <what>: Allowed choices are json, page.'],
  ]
  test.each(misuses)('%j: %s', (argv, sentence) => {
    let message: unknown
    try {
      parseWords(makeProgram(), argv)
    } catch (error) {
      expect(error).toMatchObject({ code: 'ERR_USAGE' })
      message = error instanceof Error ? error.message : undefined
    }
    // No typed text is repeated.
    expect(message).toBe(sentence)
  })
})

test('the version is returned', () => {
  const program = createProgram('service-x', 'Does something.', '1.2.3')
  for (const argv of [['--version'], ['-V']]) expect(parseWords(program, argv)).toBe('1.2.3\n')
})

test('help is returned, in lines of at most 90 characters', () => {
  for (const argv of [['--help'], ['-h'], ['help'], ['post', '--help'], ['help', 'post']]) {
    const help = parseWords(makeProgram(), argv) ?? ''
    expect(help).toContain(`Usage: service-x ${argv.includes('post') ? 'post' : '['}`)
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(90)
  }
})

describe('text', () => {
  test('foreign text cannot drive a terminal, and JSON keeps its value', () => {
    const foreign = '\u001b[2J\u202eÅse\u2028'
    expect(plainLine(foreign)).toBe(' [2J Åse ')
    expect(plainJson({ a: foreign }, false)).toBe('{"a":"\\u001b[2J\\u202eÅse\\u2028"}')
    expect(plainJson(undefined, true)).toBe('null')
  })

  test('breaks at spaces, with an indentation', () => {
    expect(wrapText('one two three four five six', 24, '    ')).toBe('one two three four\n    five six')
    expect(wrapText(`a ${'x'.repeat(50)} b`, 24, '')).toBe(`a\n${'x'.repeat(50)}\nb`)
  })

  test('has color only where the terminal shows it', () => {
    expect(paint({ hasColor: false }, 'red', 'x')).toBe('x')
    expect(paint({ hasColor: true }, 'red', 'x')).toBe('\u001b[31mx\u001b[39m')
  })

  test('a failure has a line with the reason and a line with advice', () => {
    const terminal = memoryTerminal()
    tellFailure(terminal, 'service-x', {
      sentence: 'It failed\u0007.',
      code: 'ERR_X',
      advice: 'Do this.',
      docsUrl: 'https://docs.example/#err_x',
    })
    tellFailure(terminal, 'service-x', {
      sentence: 'It failed.',
      code: 'ERR_X',
      advice: undefined,
      docsUrl: undefined,
    })
    expect(terminal.told()).toBe(
      'service-x: It failed . [ERR_X]\n→ Do this.\nhttps://docs.example/#err_x\nservice-x: It failed. [ERR_X]\n',
    )
    expect(terminal.printed()).toBe('')
  })
})

describe('progress', () => {
  test('is hidden for short work', async () => {
    const terminal = memoryTerminal({ isWatched: true })
    expect(await withProgress(terminal, 'Working', async () => 7)).toBe(7)
    await expect(withProgress(terminal, 'Working', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(terminal.told()).toBe('')
  })

  test('is shown on a terminal after a second, and erased', async () => {
    const terminal = memoryTerminal({ isWatched: true })
    await withProgress(terminal, 'Working', () =>
      expect.poll(terminal.told, { timeout: 60_000 }).not.toBe(''),
    )
    expect(terminal.told().startsWith('\r\u001b[KWorking … 1 s')).toBe(true)
    expect(terminal.told().endsWith('\r\u001b[K')).toBe(true)
  })
})
