import type { ArgsIssue } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { parseArguments } from './parse-arguments.ts'

const rest = ['firstname=Kari', 'lastname=Nordmann', 'dateofbirth=1980-04-03']

test.each<[string[], string]>([
  [['/id:4711'], 'argument 1 must be written id=…, as one argument, without blanks beside the ='],
  [['/id=4711'], 'argument 1 must be written id=…'],
  [['id:4711'], 'argument 1 must be written id=…'],
  [['-id:4711'], 'argument 1 must be written id=…'],
  [['id＝4711'], 'argument 1 must be written id=…'],
  [['I D=4711'], 'argument 1 must be written id=…'],
  [['customid:4711'], 'argument 1 must be written id=…'],
  [['id', '=', '4711'], 'argument 1 must be written id=…'],
  [['id', '=4711'], 'argument 1 must be written id=…'],
  [['id=', '4711'], 'argument 2 stands apart from id: write id=…, as one argument'],
  [['--id', '4711'], 'argument 2 stands apart from id: write id=…'],
  [['openworkout', '17'], 'argument 1 must be written openworkout=…'],
  [['“id=4711”'], 'argument 1 is in typographic quotes'],
  [['--id=4711', ...rest], 'id is missing: write id=… instead of --id=…'],
  [['customid=4711', ...rest], 'id is missing: write id=… instead of customid=…'],
  [
    ['id=4711', 'first_name=Kari', ...rest.slice(1)],
    'firstname is missing: write firstname=… instead of first_name=…',
  ],
  [
    ['id=4711', ...rest.slice(0, 2), 'dob=1980'],
    'dateofbirth is missing: write dateofbirth=… instead of dob=…',
  ],
])('%j is refused once, with what to write and no value', (argv, sentence) => {
  const parse = () => parseArguments(argv)
  expect(parse).toThrow(`Arguments not accepted: ${sentence}`)
  expect(parse).not.toThrow(/4711|17|Kari|1980|argument \d.*argument \d/)
})

test.each<[string, string | undefined, string | undefined]>([
  ['--id=4711', 'id', '--id=… was ignored; write id=…'],
  ['-ID=4711', 'id', '-ID=… was ignored; write id=…'],
  ['--wait', 'wait', '--wait was ignored; write wait=true'],
  ['--payload=Secret', 'payload', '--payload=… was ignored; write payload=@<file>'],
  ['--Nordmann', undefined, 'argument 1 begins with - and was ignored'],
  ['customid=4711', 'id', 'customid=… went to the web app as a launch parameter; did you mean id=…?'],
  [
    'workout=17',
    'openworkout',
    'workout=… went to the web app as a launch parameter; did you mean openworkout=…?',
  ],
  [
    'exercisequery=knee',
    'queryexercises',
    'exercisequery=… went to the web app as a launch parameter; did you mean queryexercises=…?',
  ],
  [
    'ssn=17',
    undefined,
    'ssn=… went to the web app as a launch parameter: on the command line a person has no such field',
  ],
  ['tab=patients', undefined, undefined],
  ['culture=nb-NO', undefined, undefined],
])('%s is reported, with what was meant', (argument, meant, sentence) => {
  const [{ note, ...found } = { name: '' }] = parseArguments([argument]).unknown
  expect(found).toEqual({ name: argument.split('=')[0], ...(meant && { meant }) })
  expect(note && `${note.path} ${note.problem}`).toBe(sentence)
})

test('empty fields of nobody are noted', () => {
  const notes: ArgsIssue[] = []
  parseArguments(['id=', 'queryexercises=knee'], { onNoted: note => notes.push(note) })
  expect(notes).toEqual([{ path: 'id=', problem: 'is empty, and no person is selected' }])
})
