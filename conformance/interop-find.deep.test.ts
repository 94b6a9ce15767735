import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { partnerLanguages } from '../internal/test-kit/src/partner-programs.ts'
import { temporaryFolder } from '../internal/test-kit/src/temporary-folder.ts'
import { ownDesktop } from '../packages/pipe-client/src/running/index.ts'

const examples = fileURLToPath(new URL('./python/', import.meta.url))
const isLeftOut = partnerLanguages.find(({ name }) => name === 'Python')?.leftOut !== undefined

const find = 'import service_pipe; print(service_pipe.find_record()["pid"])'

interface Desktop {
  readonly DISPLAY?: string
  readonly WAYLAND_DISPLAY?: string
}

/** The record that the example in Python finds on a desktop, beside the records of these desktops: its place, or the error. */
async function findIn(own: Desktop, desktops: readonly Desktop[], firstPid = 0): Promise<number | string> {
  await using folder = await temporaryFolder()
  mkdirSync(join(folder.path, 'run'), { mode: 0o700 })
  for (const [index, desktop] of desktops.entries()) {
    const pid = firstPid + index
    const record = { pid, desktop: ownDesktop({ ...desktop }, 'linux') }
    writeFileSync(join(folder.path, 'run', `${pid}.json`), JSON.stringify(record), { mode: 0o600 })
  }
  const env = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', ...own, PYTHONPATH: examples }
  const { stdout, stderr } = spawnSync('python3', ['-B', '-W', 'error', '-c', find], {
    env: { ...env, SERVICE_WRAPPER_DATA: folder.path },
    encoding: 'utf8',
    timeout: 60_000,
  })
  return stdout === '' ? (stderr.trim().split('\n').at(-1) ?? '') : Number(stdout)
}

// Only on Linux the environment tells the desktop.
describe.skipIf(isLeftOut || process.platform !== 'linux')(
  'the wrapper chosen by the example in Python',
  () => {
    test.each<[string, Desktop, readonly Desktop[], number]>([
      ['of its own display, of several', { DISPLAY: ':1' }, [{ DISPLAY: ':2' }, { DISPLAY: ':1' }], 1],
      ['of another screen of its display', { DISPLAY: ':1' }, [{ DISPLAY: ':1.0' }], 0],
      ['of its own Wayland display', { WAYLAND_DISPLAY: 'wayland-1' }, [{ WAYLAND_DISPLAY: 'wayland-1' }], 0],
      ['without a desktop, where it has none', {}, [{ DISPLAY: ':1' }, {}], 1],
      ['without a desktop, where its own has none', { DISPLAY: ':1' }, [{ DISPLAY: ':2' }, {}], 1],
      ['of any desktop, where it has none', {}, [{ DISPLAY: ':2' }], 0],
    ])('is the one %s', async (_title, own, desktops, index) => {
      expect(await findIn(own, desktops)).toBe(index)
    })

    test.each<[string, Desktop, readonly Desktop[], string]>([
      [
        'another desktop has the only one',
        { DISPLAY: ':1' },
        [{ DISPLAY: ':2' }],
        'No wrapper runs on this desktop; its record was looked for in ',
      ],
      [
        'its desktop has several',
        { DISPLAY: ':1' },
        [{ DISPLAY: ':1' }, { DISPLAY: ':1' }],
        'Several wrappers run. Name the process of one: ',
      ],
    ])('is none where %s', async (_title, own, desktops, sentence) => {
      expect(await findIn(own, desktops)).toContain(`FileNotFoundError: ${sentence}`)
    })

    test('is none whose process has ended', async () => {
      const { pid } = spawnSync('python3', ['-c', ''])
      expect(await findIn({}, [{}], pid)).toContain('FileNotFoundError: No wrapper runs')
    })
  },
)
