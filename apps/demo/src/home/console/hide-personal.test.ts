import type { Traffic } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { hidePersonal } from './hide-personal.ts'

const frame = { kind: 'frame', direction: 'in' } as const

const shown: readonly [string, Pick<Traffic, 'kind' | 'direction'>, unknown, unknown][] = [
  [
    'a person’s fields and the id beside a name',
    frame,
    { Args: { id: 4, FirstName: 'a', born: 'b' } },
    { Args: { id: '•••', FirstName: '•••', born: '•••' } },
  ],
  [
    'lists of users and workouts',
    frame,
    [
      { Id: 1, Lastname: 'a' },
      { Id: 2, Name: 'Knee', OwnerName: 'b' },
    ],
    [
      { Id: '•••', Lastname: '•••' },
      { Id: 2, Name: 'Knee', OwnerName: '•••' },
    ],
  ],
  ['profile data whole', frame, { profiledata: [{ key: 'weight' }] }, { profiledata: '•••' }],
  [
    'arguments of a launch',
    { kind: 'launch', direction: 'in' },
    { argv: ['provider=A, B', 'wait=true', 'firstname=a', 'b', 'openworkout=3', 'c.xml'] },
    { argv: ['provider=A, B', 'wait=true', 'firstname=•••', '•••', 'openworkout=3', 'c.xml'] },
  ],
  [
    'nothing of a command without a person',
    frame,
    { Id: 3, Method: 'openworkout', Args: { id: 17 } },
    { Id: 3, Method: 'openworkout', Args: { id: 17 } },
  ],
]

test.each(shown)('hides %s', (_what, message, content, expected) => {
  const { text, isHidden } = hidePersonal({ ...message, text: JSON.stringify(content) })
  expect(JSON.parse(text)).toEqual(expected)
  expect(isHidden).toBe(JSON.stringify(content) !== JSON.stringify(expected))
})

test('hides the content of XML, and all of what it cannot read', () => {
  const file = { kind: 'file', direction: 'in' } as const
  const xml = '<a exercisequery="knee">\n  <born>1980</born>\n</a>'
  expect(hidePersonal({ ...file, text: xml }).text).toBe(xml.replace('1980', '•••'))
  for (const text of ['{"firstname":"Kari', 'Kari'])
    expect(hidePersonal({ ...frame, text })).toMatchObject({
      isHidden: true,
      text: expect.not.stringContaining('Kari'),
    })
  expect(hidePersonal({ ...frame, base64: 'S2FyaQ==' })).toEqual({ isHidden: true, text: '' })
  expect(hidePersonal({ ...frame, text: '3.0.0.0' }).isHidden).toBe(false)
})
