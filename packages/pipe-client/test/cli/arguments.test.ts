import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryTerminal } from '@service-link/terminal/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { runServicePipe } from '../../src/cli/run-service-pipe.ts'
import { type ClassicServer, reply, startServer, withVersion } from '../support/classic-server.ts'
import { optionsForPrefix, runHere as run, type ServicePipeOptions } from '../support/service-pipe.ts'

const folder = mkdtempSync(join(tmpdir(), 'service-pipe-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(name: string, content: string | Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

const selecting = withVersion((socket, { Method }) =>
  Method === 'selectperson'
    ? reply(socket, '{"status":"selected","userid":5,"customid":"4711"}')
    : socket.end(),
)

async function send(server: ClassicServer, args: string[], options: ServicePipeOptions = {}) {
  const finished = await run(args, { ...options, prefix: server.brand.pipePrefix })
  expect(finished).toMatchObject({ exitCode: 0, stderr: '' })
  return server.requests.at(-1)
}

const kari = { customid: '4711', firstname: 'Kåre', lastname: 'Nordmann' }

describe('accepted arguments', () => {
  test('[4.5-envelope] key=value: under the command’s names, as text', async () => {
    await using server = await startServer(selecting)
    expect(await send(server, ['setcustomid', 'UserId=3', 'customid=a=b "c"'])).toEqual({
      Method: 'setcustomid',
      Args: { userid: '3', customid: 'a=b "c"' },
    })
    expect(await send(server, ['close', 'signout=False'])).toEqual({
      Method: 'close',
      Args: { signout: 'False' },
    })
  })

  test('@file: its JSON object, hidden from other users’ process lists', async () => {
    await using server = await startServer(selecting)
    const profiledata = [{ key: 'weight', value: '80' }]
    const file = fileWith('person.json', `\uFEFF${JSON.stringify({ ...kari, userId: 5, profiledata })}`)
    expect(await send(server, ['selectperson', `@${file}`])).toEqual({
      Method: 'selectperson',
      Args: { ...kari, userid: 5, profiledata },
    })
  })

  test('-: the JSON object on standard input, combined with key=value', async () => {
    await using server = await startServer(selecting)
    const input = JSON.stringify(kari)
    expect(await send(server, ['selectperson', '-', 'country=Norge'], { input })).toEqual({
      Method: 'selectperson',
      Args: { ...kari, country: 'Norge' },
    })
  })

  test('profiledata as JSON, inline or from a file', async () => {
    await using server = await startServer(selecting)
    const profiledata = [{ key: 'weight', value: '80' }]
    const file = fileWith('profile.json', `\uFEFF${JSON.stringify(profiledata)}`)
    for (const value of [`@${file}`, JSON.stringify(profiledata)])
      expect(
        await send(server, ['selectperson', 'firstname=K', 'lastname=N', `ProfileData=${value}`]),
      ).toMatchObject({
        Args: { firstname: 'K', profiledata },
      })
  })

  test('a user who types standard input sees how to end it', async () => {
    await using server = await startServer(selecting)
    const terminal = memoryTerminal({ stdin: Readable.from([Buffer.from('{"id":17}')]), isTypedIn: true })
    const argv = ['openworkout', '-', ...optionsForPrefix(server.brand.pipePrefix)]
    expect(await runServicePipe(argv, terminal)).toBe(0)
    expect(terminal.told()).toContain('end with Ctrl+D')
    expect(server.requests.at(-1)).toEqual({ Method: 'openworkout', Args: { id: 17 } })
  })

  test('a user who types standard input has all the time', async () => {
    const stdin = new PassThrough()
    const terminal = memoryTerminal({ stdin, isTypedIn: true })
    const finished = runServicePipe(['openworkout', '-', '--timeout', '0.05'], terminal)
    await sleep(100)
    stdin.end('{}')
    expect(await finished).toBe(2)
    expect(terminal.told()).toContain('openworkout needs id.')
  })
})

test.each(process.platform === 'win32' ? ['-'] : ['-', 'a named pipe'])(
  'a writer of %s that never ends is waited for no longer than --timeout',
  async where => {
    const path = join(folder, 'never-written')
    if (where !== '-') execFileSync('mkfifo', [path])
    const terminal = memoryTerminal({ stdin: new PassThrough() })
    const word = where === '-' ? where : `@${path}`
    expect(await runServicePipe(['selectperson', word, '--timeout', '0.05'], terminal)).toBe(2)
    expect(terminal.told()).toContain(
      'Not all arguments arrived within 50 ms: end their file or pipe after the last one, or give a longer --timeout. [ERR_USAGE]',
    )
    expect(terminal.stdin.destroyed).toBe(where === '-')
  },
)

/** Values that the refusal of a command line must not repeat. */
const personal = 'Grünerløkka'

describe('refused arguments, without their values', () => {
  const misuses: [string[], string, string?][] = [
    [[], 'Name a subcommand.'],
    [['selctperson'], 'There is no such subcommand. Did you mean selectperson?'],
    [[personal], 'There is no such subcommand.'],
    [
      ['selectperson', `firstnam=${personal}`],
      'selectperson has no argument firstnam. Did you mean firstname? It takes id, customid, userid, firstname,',
    ],
    [['openworkout', `id=${personal}`, 'ID=2'], 'id is given twice.'],
    [['setcustomid', 'userid=1', `customid=“${personal}”`], 'customid is in typographic quotes.'],
    [['selectperson', '-', `customid=${personal}`], 'customid is given twice.', '{"customid":"other"}'],
    [['selectperson', '-', '-'], 'can be read once only.'],
    [['selectperson', '-'], 'Standard input needs to hold one JSON object', `{"firstname": "${personal}`],
    [['selectperson', '-'], 'Standard input needs to hold one JSON object', `["${personal}"]`],
    [
      ['selectperson', '-'],
      'Standard input is empty. It needs to hold the arguments as one JSON object.',
      '',
    ],
    [['selectperson', '-'], 'Standard input is larger than 1048576 bytes', personal.repeat(100_000)],
    [['selectperson', `@/no/${personal}`], 'The file after @ cannot be read: it does not exist.'],
    [['selectperson', `profiledata=[{"${personal}`], 'profiledata needs JSON.'],
    [['selectperson', `profiledata=[{"key":"${personal}","value":1e400}]`], 'profiledata needs JSON.'],
    [['selectperson', `profiledata=@/no/${personal}`], 'The file after profiledata=@ cannot be read'],
    [['select'], 'There is no such subcommand. Did you mean selectperson?'],
    [['users'], 'Did you mean getlistofusers?'],
    [['--pid', '1', 'version'], 'Write --pid after the subcommand: service-pipe version --pid <id>'],
    [['version', personal], 'version takes no arguments.'],
    ...['--id=3', '--id', '/id:3', '-id', 'id:3', 'id'].map((word): [string[], string] => [
      ['openworkout', word, '3'],
      'Write id=… as one argument, without dashes',
    ]),
    [['openworkout', 'id', '=', '3'], 'Write id=… as one argument'],
    [['openworkout', `“id=${personal}”`], 'An argument is in typographic quotes. Write straight quotes'],
    [['openworkout', `{"id":"${personal}"}`], 'JSON is read from a file, @arguments.json,'],
    [['openworkout', personal], 'Arguments have the form key=value without blanks, or @ and a file'],
    [
      ['selectperson', `birthdate=${personal}`],
      'has no argument birthdate. Did you mean dateofbirth? It takes',
    ],
    [['selectperson', `/firstname=${personal}`], 'has no such argument. Did you mean firstname?'],
    [['selectperson', `source_customerno=${personal}`], 'Did you mean customid?'],
    [['selectperson', '-'], 'selectperson has no such argument. It takes', `{"${personal}":1}`],
    [['getlistofusers', 'customid='], 'customid is empty: fill it, or leave it out.'],
    [['clearperson', 'customid='], 'customid is empty: fill it, or leave it out.'],
    [['clearperson', `userid=${personal}`], 'userid needs a whole number.'],
    [
      ['clearperson', `customerid=${personal}`],
      'clearperson has no argument customerid. Did you mean customid?',
    ],
    [['signout', `customid=${personal}`], 'signout takes no arguments.'],
    [['openworkout'], 'openworkout needs id.'],
    [['openworkout', 'id= ', '--start'], 'openworkout needs id.'],
    [['openworkout', `id=${personal}`], 'id needs a whole number.'],
    [['close', `signout=${personal}`], 'signout needs true or false.'],
    [['setcustomid', '-'], 'setcustomid needs customid.', '{"userid":5,"customid":null}'],
    [['selectperson', `customid=${personal}`], 'selectperson needs firstname and lastname.'],
    [['hide', '--pid', personal], '--pid needs a process id'],
    [['hide', '--pid=1', '--pid=2'], '--pid is given twice.'],
    [['hide', '--pid=1', '--start'], '--start does not go with it.'],
    [['hide', `--pipe-prefix=${personal}`], '--pipe-prefix needs at most 32 letters, digits'],
    [['hide', `--brand-name=${personal}`], '--brand-name needs letters and digits, a letter first'],
    [['list', '--application=a/b'], '--application needs a file name'],
    [['hide', '--timeout', '0'], '--timeout needs a number of seconds'],
    [['hide', '--classic'], '--classic needs --pid'],
    [['status', '--classic', '--pid', '7'], 'There is no such option.'],
    [['watch', '--count=0'], '--count needs a whole number above 0.'],
    [['watch', 'personselectd'], 'There is no such event. Known: personselected,'],
    [
      ['watch', personal],
      'Known: personselected, personcleared, signedin, signedout, workoutopened, closing.',
    ],
  ]
  test.each(misuses)('2 for %j: %s', async (args, sentence, input = '') => {
    const terminal = memoryTerminal({ stdin: Readable.from([Buffer.from(input)]) })
    expect(await runServicePipe(args, terminal)).toBe(2)
    expect(terminal.printed()).toBe('')
    expect(terminal.told()).toContain(sentence)
    expect(terminal.told()).toMatch(
      / \[ERR_USAGE\]\n→ See service-pipe( [a-z]+)? --help\nhttps:\S+#err_usage\n$/,
    )
    expect(terminal.told()).not.toContain(personal)
  })

  test('a file that is not UTF-8, or is a folder', async () => {
    const file = fileWith('latin.json', Buffer.from('{"firstname":"K\u00e5re"}', 'latin1'))
    for (const [path, sentence] of [
      [file, 'The file after @ is not UTF-8 text.'],
      [folder, 'The file after @ cannot be read: it is a folder.'],
    ] as const) {
      const terminal = memoryTerminal()
      expect(await runServicePipe(['selectperson', `@${path}`], terminal)).toBe(2)
      expect(terminal.told()).toContain(sentence)
    }
  })
})
