import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, link, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { olderProgram } from '../internal/test-kit/src/partner-programs.ts'
import { temporaryFolder } from '../internal/test-kit/src/temporary-folder.ts'

const wrapperProgram = fileURLToPath(
  new URL('../packages/wrapper-host/src/cli/service-webwrapper.ts', import.meta.url),
)
const name = 'Acme.Client.WebWrapper'
const data = [
  [
    { key: 'reps', value: '12', unit: null },
    { key: 'load', value: '7.5', unit: 'kg' },
  ],
  [{ key: 'reps', value: '8', unit: null }],
]
/** Makes a list that fills several reads of a program with a small buffer. */
const more = Array.from({ length: 100 }, (_, index) => ({ userId: 8, id: 100 + index, exercises: [] }))
const world = {
  users: [{ id: 8, customId: 'Å-8', firstname: 'Kåre', lastname: 'Nordmann', dateOfBirth: '1980-04-03' }],
  workouts: [
    {
      userId: 8,
      id: 3,
      name: 'Kné 漢字',
      lastChangedAt: '2026-02-01T10:00:00.250Z',
      owner: 17,
      ownerName: 'Ingrid',
      executor: 8,
      exercises: [{ id: 5, name: 'Squat', data }],
    },
    { userId: 8, id: 4, lastChangedAt: '2025-02-01T10:00:00Z' },
    ...more.map(workout => ({ ...workout, lastChangedAt: '2024-02-01T10:00:00Z' })),
  ],
}

// Mono on Linux names a process by its file.
describe.skipIf(olderProgram.leftOut !== undefined || process.platform !== 'linux')(
  `a program of 2016${olderProgram.leftOut ?? ''}`,
  () => {
    test('finds the wrapper by its process, and reads each list with one read, as dynamic and as typed objects', async () => {
      await using folder = await temporaryFolder()
      const program = await olderProgram.build(folder.path)
      const node = await realpath(process.execPath)
      await link(node, join(folder.path, name)).catch(() => copyFile(node, join(folder.path, name)))
      await writeFile(join(folder.path, 'data.json'), JSON.stringify(world))
      const argv = [
        '-C',
        '@service-link/source',
        wrapperProgram,
        'test',
        '--data',
        join(folder.path, 'data.json'),
      ]
      const wrapper = spawn(join(folder.path, name), argv, { stdio: ['pipe', 'pipe', 'inherit'] })
      const ended = once(wrapper, 'close')
      const lines = createInterface(wrapper.stdout)[Symbol.asyncIterator]()
      await lines.next()
      const { output, errors } = await program(name, 'Å-8', 'Kåre', 'Nordmann', '1980-04-03')
      const undated = await program(name, 'Å-9', 'Kari', 'Nordmann', '')
      wrapper.stdin.write('calls\n')
      const calls = JSON.parse((await lines.next()).value ?? '[]')
      wrapper.stdin.end()
      expect(await ended).toEqual([0, null])

      expect(errors).toBe('')
      const lists = [
        'user 8: Å-8 Kåre Nordmann  1980-04-03',
        'workout 3: Kné 漢字, by 17 Ingrid for 8 , 2026, 1 exercises',
        'exercise 5: Squat, reps 12 ',
        'exercise 5: Squat, load 7.5 kg',
        'exercise 5: Squat, reps 8 ',
        'workout 4: , by 0  for 0 , 2025, 0 exercises',
        ...more.map(({ id }) => `workout ${id}: , by 0  for 0 , 2024, 0 exercises`),
      ]
      const [version, selected, ...read] = output.trimEnd().split('\n')
      expect([version, selected]).toEqual(['version 3.0.0.0, new enough', 'person selected 8 Å-8'])
      const [users = '', ...workouts] = lists
      expect(read).toEqual([
        `dynamic ${users}`,
        `typed ${users}`,
        ...workouts.map(line => `dynamic ${line}`),
        ...workouts.map(line => `typed ${line}`),
        'done',
      ])
      const user = 'user 9: Å-9 Kari Nordmann  unknown'
      expect(undated).toMatchObject({ errors: '', output: expect.stringContaining('person created 9 Å-9') })
      expect(undated.output).toContain(`dynamic ${user}\ntyped ${user}\ndone`)
      const profileData = [{ name: 'Weight', value: '80', unit: 'kg', date: '6/1/2016 12:30:00 PM' }]
      expect(calls.slice(0, 5)).toEqual([
        {
          handler: 'selectPerson',
          args: {
            customId: 'Å-8',
            userId: 0,
            firstname: 'Kåre',
            lastname: 'Nordmann',
            gender: 'female',
            dateOfBirth: '1980-04-03',
            zipcode: '0150',
            profileData,
          },
          via: 'pipe',
        },
        { handler: 'getListOfUsers', args: { customId: 'Å-8' }, via: 'pipe' },
        { handler: 'getWorkoutsForClient', args: { customId: 'Å-8', from: '2000-01-01' }, via: 'pipe' },
        { handler: 'openWorkout', args: { id: 3 }, via: 'pipe' },
        { handler: 'setCustomId', args: { userId: 8, customId: 'Å-8' }, via: 'pipe' },
      ])
    })
  },
)
