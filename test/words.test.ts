import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../scripts/structure.ts'

interface Rule {
  readonly word: string
  /** What the word was used for, in text and names of files. */
  readonly refused: RegExp
  /** The word to write. */
  readonly instead: string
}

const rules: readonly Rule[] = [
  {
    word: 'session of the system',
    refused: /\blog-?in[ _]session|\bdesktop session|\w*LoginSession|put_login_session|\bkeptSession\b/i,
    instead: 'desktop',
  },
  {
    word: 'session of a connection',
    refused: /\bopen(?:Raw|JsonRpc)?Session\b|\bOpenSessionOptions\b/,
    instead: 'connection, or channel',
  },
  { word: 'session of the wrapper', refused: /\bWrapperSession\b|wrapper-session/, instead: 'StatusKeeper' },
  {
    word: 'command of a program',
    refused:
      /\b(?:Program|Pack|Test)Commands?\b|\b(?:namesCommand|readCommandLine|CommandLine|loadCommands|SignCommand|npmCommand)\b|src\/(?:cli\/)?(?:[\w-]+-commands?|commands|command-line)(?:\.test)?\.ts/,
    instead: 'subcommand',
  },
  {
    word: 'record',
    refused: /\b(?:Install|Workout|MyWorkout|Exercise)Record\b|install-record/,
    instead: 'the noun of the thing; a record is what a wrapper publishes',
  },
  {
    word: 'context',
    refused: /\b(?:Pipe|Connection|Doctor|Provider|Attack)Context\b|(?:pipe|provider)-context/i,
    instead: 'the noun of what is in it',
  },
  {
    word: 'take',
    refused:
      /#take[A-Z]\w*|\btake(?:All|Alone|Answered|Body|Crash|Due|FromUnanswered|Key|NodeModules|Old|PageEvent|PageKey|PipePrefix|Request|Turns|Up)\b|\b(?:noteTakenOver|takenOverFile|takenCodes)\b/,
    instead: 'the verb of what is done; only a launch is taken',
  },
  {
    word: 'British spelling',
    refused:
      /\b(?:behaviours?|organisations?|licences?|colours|coloured|catalogues?|neighbours?|minimises|minimising|cancelling|recognise[ds]?|normalised?|misspelt|labelled|defence)\b/i,
    instead: 'the American one',
  },
  { word: 'open', refused: /\w*OpenLaunchArguments\b/, instead: 'LaunchWords' },
]

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(path => /\.(?:tsx?|mjs|md|c|h|cs|py)$/.test(path) && path !== 'test/words.test.ts')
  .filter(path => !path.startsWith('.changeset/') && existsSync(join(root, path)))
  .map(path => ({ path, lines: [path, ...readFileSync(join(root, path), 'utf8').split('\n')] }))

test.each(rules)('$word is called $instead', ({ refused }) => {
  const found = files.flatMap(({ path, lines }) =>
    lines.flatMap((text, number) => (refused.test(text) ? [`${path}:${number}: ${text.trim()}`] : [])),
  )
  expect(found).toEqual([])
})
