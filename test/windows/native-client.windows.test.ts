import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { encodeFrame } from '../../packages/protocol-core/src/frame/frame.ts'
import { runInWindows } from './bundle.ts'
import { compileNative } from './native/compile-native.ts'
import type { NativeAnswer, NativeQuestion, NativeQuestions } from './native/native-questions.ts'
import { openWindowsMachine } from './wine/windows-machine.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const done = { exitCode: 0, output: '', errors: '' }
const everyScript = 'Kåre "Æ" \\ Ødegård 漢字 😀 </script>'
const workouts = [
  { id: 3, userId: 8, name: 'Kné 漢字', lastChangedAt: '2026-02-01T10:00:00Z' },
  { id: 4, userId: 8, name: 'Hip', lastChangedAt: '2025-02-01T10:00:00Z' },
]
/** A reply of half a million bytes, with characters of every UTF-8 length. */
const users = Array.from({ length: 4000 }, (_, index) => ({
  id: index + 1,
  customId: 'å漢😀',
  firstname: everyScript,
}))

/** Custom ids from programs that do not wait for an answer. */
const hasty = Array.from({ length: 60 }, (_, index) => `hasty-${index}`)

const hexOf = (text: string) => Buffer.from(encodeFrame(text)).toString('hex')

type Check = (answers: readonly NativeAnswer[]) => void

const rows: [title: string, batch: readonly NativeQuestion[], check: Check][] = [
  [
    '[4.5-hide] hides the window, and says nothing',
    [{ command: 'hide' }],
    ([end]) => expect(end).toMatchObject({ ...done, state: 'minimised' }),
  ],
  [
    '[4.5-getlistofusers] lists users, half a million bytes in every script',
    [{ command: 'getlistofusers', args: { customid: 'å漢😀' } }],
    ([end]) => {
      const found = JSON.parse(end?.output ?? '')
      expect(found).toHaveLength(users.length)
      expect(found.at(-1)).toMatchObject({ Id: users.length, Firstname: everyScript })
    },
  ],
  [
    '[4.5-getworkoutsforclient] lists workouts, to programs that ask at the same time',
    [
      { command: 'getworkoutsforclient', args: { userid: 8 } },
      { command: 'getworkoutsforclient', args: { userid: 8, from: '2026-01-01' } },
      { command: 'getworkoutsforclient', args: { userid: 8, from: '2099-01-01' } },
      { command: 'version' },
    ],
    ([all, later, none, version]) => {
      expect(JSON.parse(all?.output ?? '')).toMatchObject([{ Name: 'Kné 漢字' }, { Id: 4 }])
      expect(JSON.parse(later?.output ?? '')).toMatchObject([{ Id: 3 }])
      expect(JSON.parse(none?.output ?? '')).toEqual([])
      expect(version?.output).toBe('3.1.4.1')
    },
  ],
  [
    'is asked for a workout that is not there',
    [{ command: 'openworkout', args: { id: 99 } }],
    ([end]) => {
      expect(end).toMatchObject({ exitCode: 4, output: '' })
      expect(JSON.parse(end?.errors ?? '')).toMatchObject({ code: 'ERR_NOT_FOUND' })
    },
  ],
  [
    'is not disturbed by programs that go with half a frame, without one, or without reading',
    [
      { bytes: '1400', leaves: true },
      { bytes: '140000007b22', leaves: true },
      { bytes: '', leaves: true },
      { bytes: hexOf('{"Method":"getlistofusers"}'), leaves: true },
      { bytes: hexOf('{"Method":"openworkout","Args":{"id":4}}'), leaves: true },
      { command: 'version' },
    ],
    answers => {
      expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0])
      expect(answers.at(-1)?.output).toBe('3.1.4.1')
    },
  ],
  [
    'lets sixty programs send their commands at once, and go without an answer',
    hasty.map(customid => ({
      bytes: hexOf(JSON.stringify({ Method: 'setcustomid', Args: { userid: 8, customid } })),
      leaves: true,
    })),
    answers => expect(answers.map(({ exitCode }) => exitCode)).toEqual(hasty.map(() => 0)),
  ],
  ['[4.5-close] answers before it exits', [{ command: 'close' }], ([end]) => expect(end).toMatchObject(done)],
]

describe('a wrapper on Windows, asked by the example in C,', () => {
  let answers: readonly NativeAnswer[][]

  beforeAll(async () => {
    const windows = await openWindowsMachine()
    const folder = await mkdtemp(join(tmpdir(), 'native-client-'))
    const program = join(folder, 'service_pipe.exe')
    const questions: NativeQuestions = { world: { users, workouts }, batches: rows.map(([, batch]) => batch) }
    try {
      await writeFile(join(folder, 'questions.json'), JSON.stringify(questions))
      await compileNative([here('../../conformance/c/service_pipe.c')], program)
      await compileNative([here('native/send-bytes.c')], join(folder, 'send-bytes.exe'))
      answers = await runInWindows(windows, here('native/ask-wrapper.ts'), folder, [folder])
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })

  test.each(rows.map(([title, , check], index) => [title, check, index] as const))(
    '%s',
    (_title, check, index) => check(answers[index] ?? []),
  )

  test('carries out each command once, even when its program has left', () => {
    const calls = answers.flatMap(([first]) => first?.calls ?? [])
    const opened = calls.filter(call => JSON.stringify(call).includes('"id":4'))
    expect(opened).toEqual([{ handler: 'openWorkout', args: { id: 4 }, via: 'pipe' }])
    const set = calls.flatMap(call => JSON.stringify(call).match(/hasty-\d+/) ?? [])
    expect(set.sort()).toEqual(hasty.toSorted())
  })
})
