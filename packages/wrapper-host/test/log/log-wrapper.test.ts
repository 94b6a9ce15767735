import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { WrapperFolders } from '../../src/settings/wrapper-folders.ts'
import { wrapperVersion } from '../../src/settings/wrapper-folders.ts'
import { startTestWrapper } from '../../src/testing/start-test-wrapper.ts'
import { request } from '../support/pipe.ts'
import { settingText, userFileText } from '../support/settings-folders.ts'

const provider = 'provider=Service.Desktop.Arguments.Component, Service.Desktop'
const person = [
  'id=k4711x',
  'firstname=Synnøve',
  'lastname=Bråthen',
  'dateofbirth=1980-04-03',
  'email=synnove@example.org',
  'gender=hemmelig',
]

/** Texts of a launch that no log may contain. */
const secrets = ['k4711x', 'Synnøve', 'Bråthen', '1980-04-03', 'synnove', 'hemmelig', 'journal-0815']

async function readEvents(userFolder: string): Promise<string[]> {
  const text = await readFile(join(userFolder, 'logs', 'wrapper.log'), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).event)
}

describe('the log of a wrapper', () => {
  test('reports launches, page and settings, without personal data', async () => {
    const prepare = async ({ userFolder, applicationRoot }: WrapperFolders) => {
      await writeFile(join(applicationRoot, 'journal-0815.xml'), '<wrong>hemmelig</wrong>')
      await mkdir(join(userFolder, wrapperVersion), { recursive: true })
      await writeFile(
        join(userFolder, wrapperVersion, 'user.config'),
        userFileText(settingText('Zoom', 'hemmelig') + settingText('LogLevel', 'debug')),
      )
    }
    await using wrapper = await startTestWrapper({ prepare })
    await wrapper.launch(provider, ...person, 'queryexercises=hemmelig')
    await wrapper.nextCall()
    await request(wrapper.pipeAddress, {
      Method: 'selectperson',
      Args: { customid: 'k4711x', firstname: 'Synnøve', lastname: 'Bråthen', dateofbirth: 'hemmelig' },
    })
    await wrapper.launch(provider, 'openworkout=hemmelig')
    await wrapper.launch(join(wrapper.folders.applicationRoot, 'journal-0815.xml'))
    await wrapper.launch(provider, 'openworkout=4711')
    await wrapper.nextCall()
    wrapper.crashPage()
    const { userFolder } = wrapper.folders
    await vi.waitFor(
      async () =>
        expect(await readEvents(userFolder)).toEqual(
          expect.arrayContaining([
            'setting-ignored',
            'started',
            'launch-taken',
            'launch-done',
            'launch-failed',
            'launch-refused',
            'web-app-connected',
            'page-crashed',
          ]),
        ),
      { timeout: 60_000 },
    )
    const text = await readFile(join(userFolder, 'logs', 'wrapper.log'), 'utf8')
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('"source":"command line","field":"gender","problem":"must be female')
    expect(text).toContain('"source":"pipe","field":"dateofbirth","problem":"must be written')
  })
})
