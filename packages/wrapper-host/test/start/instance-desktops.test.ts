import { access } from 'node:fs/promises'
import { defaultBrand } from '@service-link/protocol-core'
import { browserProcesses, canListProcesses } from '@service-link/test-kit/processes'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { startExecutable, wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test, vi } from 'vitest'

const search = (text: string) => [
  `provider=${defaultBrand.providers.arguments}`,
  `queryexercises=${text}`,
  'wait=true',
]

describe.skipIf(!hasBrowser || !canListProcesses || process.platform === 'darwin')(
  'two desktops of one user',
  () => {
    test('[1-single-instance] have a wrapper and a browser profile each, and each gets its own launches', async () => {
      await using wrapper = await wrapperExecutable()
      /** Starts the executable on the desktop of a display. */
      const startIn = (display: string, ...argv: string[]) => {
        const { file, argv: all, environment } = wrapper.command(...argv)
        const env = { ...environment, DISPLAY: display }
        return startExecutable(file, all, { cwd: wrapper.folder, env })
      }
      const first = startIn(':71')
      await first.isWrapper
      const second = startIn(':72')
      await second.isWrapper
      await access(`${wrapper.profileFolder}-2`)

      first.child.kill('SIGTERM')
      expect(await first.ended).toMatchObject({ exitCode: 0 })
      expect(await startIn(':72.0', ...search('of the second')).ended).toEqual({ exitCode: 0, errors: '' })
      const third = startIn(':71', ...search('of the first again'))
      await third.isWrapper
      await wrapper.called(calls => calls.length === 2)
      expect(wrapper.calls.map(({ value }) => value.text)).toEqual(['of the second', 'of the first again'])
      for (const { child, ended } of [second, third]) {
        child.kill('SIGTERM')
        expect(await ended).toMatchObject({ exitCode: 0 })
      }
      await vi.waitFor(async () => expect(await browserProcesses(wrapper.profileFolder)).toEqual([]), {
        timeout: 60_000,
      })
    })
  },
)
