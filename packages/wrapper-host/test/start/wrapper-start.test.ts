import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClosingError, defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import type { Engine, EngineWindow } from '@service-link/window-engine'
import { PageCallError } from '@service-link/window-engine'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { claimInstance } from '../../src/start/claim-instance.ts'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { locateInstance } from '../../src/start/instance-place.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const launch = () => ({ id: randomUUID(), argv: [], workingDirectory: '/' })

/** Folders with a configuration and without a running wrapper. */
async function newFolders() {
  const folder = await temporaryFolder()
  for (const name of ['XDG_RUNTIME_DIR', 'TMPDIR']) vi.stubEnv(name, folder.path)
  const folders = { applicationRoot: join(folder.path, 'root'), userFolder: join(folder.path, 'user') }
  await mkdir(folders.applicationRoot)
  await writeFile(
    join(folders.applicationRoot, defaultBrand.configFile),
    '<configuration><applicationSettings><S><setting name="AppUrl"><value>http://127.0.0.1/</value></setting></S></applicationSettings></configuration>',
  )
  return {
    folders,
    place: locateInstance({ application: defaultBrand.application, userFolder: folders.userFolder }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** An engine whose window does nothing. */
function stillEngine(parts: Partial<Engine> = {}): Engine {
  const window: Pick<EngineWindow, 'call' | 'show' | 'setMinimiseOnClose' | 'on' | 'close'> = {
    call: () => Promise.reject(new PageCallError('no-listener')),
    show: async () => undefined,
    setMinimiseOnClose: () => undefined,
    on: () => () => undefined,
    close: async () => undefined,
  }
  return {
    name: 'Still',
    probe: async () => ({ isAvailable: true }),
    open: async () => window as EngineWindow,
    ...parts,
  }
}

describe('the signal of a start', () => {
  const stuckUntil = (begun: () => void, signal: AbortSignal | undefined) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      begun()
    })

  test.each<[string, (begun: () => void) => Partial<Engine>]>([
    ['its engine is probed', begun => ({ probe: signal => stuckUntil(begun, signal) })],
    ['its window opens', begun => ({ open: ({ signal }) => stuckUntil(begun, signal) })],
  ])('aborts it during %s, and frees the instance', async (_title, engineParts) => {
    await using at = await newFolders()
    const begun = Promise.withResolvers<void>()
    const giveUp = new AbortController()
    const wrapper = createWrapper({ folders: at.folders, engine: stillEngine(engineParts(begun.resolve)) })
    const starting = wrapper.start(launch(), { signal: giveUp.signal })
    await begun.promise
    const reason = new Error('given up')
    giveUp.abort(reason)
    await expect(starting).rejects.toBe(reason)
    const claim = await claimInstance(at.place, { launch: launch() })
    expect(claim.role).toBe('wrapper')
    if (claim.role === 'wrapper') await claim.release()
  })

  test('aborts it while another wrapper holds the instance, with its reason', async () => {
    await using at = await newFolders()
    const holder = await claimInstance(at.place, { launch: launch() })
    if (holder.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
    const reason = new ClosingError()
    const giveUp = new AbortController()
    const starting = createWrapper({ folders: at.folders, engine: stillEngine() }).start(launch(), {
      signal: giveUp.signal,
    })
    setImmediate(() => giveUp.abort(reason))
    await expect(starting).rejects.toBe(reason)
    await holder.release()
  })

  test('has no effect once the wrapper runs', async () => {
    await using at = await newFolders()
    const giveUp = new AbortController()
    const options = { folders: at.folders, engine: stillEngine() }
    const start = await createWrapper(options).start(launch(), { signal: giveUp.signal })
    if (start.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
    await using _running = start.wrapper
    giveUp.abort()
    await expect(createWrapper(options).start(launch())).resolves.toMatchObject({
      role: 'handed-off',
      outcome: { status: 'accepted' },
    })
  })
})

describe('a wrapper that knows its program’s start command', () => {
  const installedAs = [process.execPath, join(process.cwd(), 'main.js')]

  test('[4.2-path] records it with its version, for any starter', async () => {
    await using at = await newFolders()
    const options = { folders: at.folders, engine: stillEngine(), version: '4.5.6.7', installedAs }
    const start = await createWrapper(options).start(launch())
    if (start.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
    await start.wrapper.close()
    const noted = JSON.parse(await readFile(join(at.folders.userFolder, 'install.json'), 'utf8'))
    expect(noted).toEqual({ path: process.cwd(), version: '4.5.6.7', command: installedAs })
  })

  test('runs even when it cannot record it, and says so', async () => {
    await using at = await newFolders()
    await mkdir(join(at.folders.userFolder, 'install.json', 'in the way'), { recursive: true })
    const notices: string[] = []
    const onNotice = (sentence: string) => void notices.push(sentence)
    const options = { folders: at.folders, engine: stillEngine(), installedAs, onNotice }
    const start = await createWrapper(options).start(launch())
    if (start.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
    await start.wrapper.close()
    expect(notices).toContainEqual(
      expect.stringMatching(/^Where the wrapper is installed could not be noted \(E/),
    )
  })

  test.each([[[]], [['node', '/main.js']]])('is not made with %j', command => {
    const create = () => createWrapper({ installedAs: command })
    expect(create).toThrow(expect.objectContaining({ code: 'ERR_OPTION', option: 'installedAs' }))
  })
})

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'a commandTimeoutMs of %d is refused',
  commandTimeoutMs => {
    const create = () => createWrapper({ commandTimeoutMs })
    expect(create).toThrow(expect.objectContaining({ code: 'ERR_OPTION', option: 'commandTimeoutMs' }))
  },
)
