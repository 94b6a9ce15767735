import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand, type SettingName } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { writeUserConfig } from '../../src/settings/config-file.ts'
import type { RunningWrapper } from '../../src/start/become-wrapper.ts'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { locateInstance } from '../../src/start/instance-place.ts'
import type { CreateWrapperOptions } from '../../src/start/wrapper-options.ts'
import { createMemoryEngine } from '../../src/testing/memory-engine.ts'
import { MemoryPage } from '../../src/testing/memory-page.ts'
import { reservePipePrefix } from '../../src/testing/start-test-wrapper.ts'

/** Options of the wrapper, except its folders. */
export interface NewWrapperOptions extends Omit<CreateWrapperOptions, 'folders'> {
  readonly settings?: Readonly<Partial<Record<SettingName, string>>>
}

/** A web app in memory, with a signed-in user. */
function memoryEngine() {
  const page = new MemoryPage({ handlers: {}, onError: () => undefined })
  const world = { isOnline: true, load: page.load.bind(page), answerPost: async () => 200 }
  return createMemoryEngine(world, { isSignedIn: true })
}

/**
 * A wrapper in new folders, which are removed with it. By default its web app is in memory, its pipe has a prefix of its own, and it has
 * no icon.
 */
export async function newWrapper({ settings, onNotice, ...options }: NewWrapperOptions = {}) {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const { prefix } = resources.use(reservePipePrefix('memory'))
  const brand = options.brand ?? { ...defaultBrand, pipePrefix: prefix }
  const folders = { applicationRoot: join(folder.path, 'root'), userFolder: join(folder.path, 'user') }
  await mkdir(folders.applicationRoot)
  const texts = { AppUrl: 'https://app.example/', CheckForUpdates: 'False', ...settings }
  await writeFile(join(folders.applicationRoot, brand.configFile), writeUserConfig(brand, texts))
  const notices: string[] = []
  const note = (sentence: string) => {
    notices.push(sentence)
    onNotice?.(sentence)
  }
  const wrapper = createWrapper({
    engine: memoryEngine(),
    tray: false,
    ...options,
    brand,
    folders,
    onNotice: note,
  })
  const start = (argv: readonly string[] = [], signal?: AbortSignal) => {
    const launch = { id: randomUUID(), argv: [...argv], workingDirectory: folder.path }
    return wrapper.start(launch, signal ? { signal } : {})
  }
  const owned = resources.move()
  return {
    brand,
    ...folders,
    folder: folder.path,
    place: locateInstance({ application: brand.application, userFolder: folders.userFolder }),
    notices,
    start,
    /** Starts it as the first. */
    async run(...argv: string[]): Promise<RunningWrapper> {
      const started = await start(argv)
      if (started.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
      return owned.use(started.wrapper)
    },
    /** The lines of its log. */
    async log(): Promise<Readonly<Record<string, unknown>>[]> {
      const text = await readFile(join(folders.userFolder, 'logs', 'wrapper.log'), 'utf8')
      const lines = text.trimEnd().split('\n')
      return lines.map(line => JSON.parse(line))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
