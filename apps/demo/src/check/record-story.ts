import { randomUUID } from 'node:crypto'
import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core/brand'
import { claimInstance, locateInstance } from '@service-link/wrapper-host'
import { z } from 'zod'
import { patients } from '../partner/journal-data.ts'
import { expectEqual } from './expect.ts'
import { processesOfSession } from './process-list.ts'
import { wrapperPersons } from './wrapper-persons.ts'
import type { RunningStage } from './wrapper-stage.ts'

const lineSchema = z.looseObject({ level: z.string(), time: z.iso.datetime(), event: z.string() })

/** What is left of a wrapper that has ended: its log, and nothing else. */
export async function tellRecordStory(stage: RunningStage): Promise<void> {
  const { story, folders, profileFolder, environment, pid } = stage
  await story.step('[4.5-close] after the end no process, socket or lock is left', async () => {
    expectEqual('processes of the browser', await processesOfSession(profileFolder), [])
    const { application } = defaultBrand
    const place = locateInstance({ application, userFolder: folders.data, environment })
    // On Windows pipes are no files, and go with the process.
    if (process.platform !== 'win32')
      for (const socket of [
        place.handOffAddress,
        pipeAddress(defaultBrand, pid, process.platform, unixPipeFolder(environment)),
      ])
        expectEqual('a socket is there', await isThere(socket), false)
    const claim = await claimInstance(place, {
      launch: { id: randomUUID(), argv: [], workingDirectory: '/' },
    })
    expectEqual('the instance is', claim.role, 'wrapper')
    if (claim.role === 'wrapper') await claim.release()
  })

  await story.step('the log holds the launches, and nobody’s name', async () => {
    const folder = join(folders.data, 'logs')
    const files = await readdir(folder)
    const text = (await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))).join('')
    const events = text
      .trim()
      .split('\n')
      .map(line => lineSchema.parse(JSON.parse(line)).event)
    const expected = [
      'started',
      'launch-taken',
      'launch-done',
      'page-unreachable',
      'page-reachable',
      'page-crashed',
      'signed-out',
      'closing',
    ]
    for (const event of expected) expectEqual(`${event} is written down`, events.includes(event), true)
    const persons = [...Object.values(wrapperPersons), ...patients].flatMap(personalTexts)
    for (const word of [...persons, ...personalTexts(stage.servers.employee)])
      expectEqual('a person is named', text.includes(word), false)
  })
}

/** All that is written of a person, but for what is too short to tell. */
function personalTexts(person: object): readonly string[] {
  return Object.values(person).filter(value => typeof value === 'string' && value.length > 4)
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
