import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Brand } from '@service-link/protocol-core'
import type { Engine } from '@service-link/window-engine'
import { writeUserConfig } from '../../src/settings/config-file.ts'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { createMemoryEngine } from '../../src/testing/memory-engine.ts'
import { MemoryPage } from '../../src/testing/memory-page.ts'

/** A wrapper with a web app in memory and a signed-in user. Its application root is made below the folder. */
export async function memoryWrapper(brand: Brand, folder: string, userFolder: string, ownEngine?: Engine) {
  const folders = { applicationRoot: join(folder, 'root'), userFolder }
  await mkdir(folders.applicationRoot)
  const config = writeUserConfig(brand, { AppUrl: 'https://app.example/' })
  await writeFile(join(folders.applicationRoot, brand.configFile), config)
  const page = new MemoryPage({ handlers: {}, onError: () => {} })
  const engine =
    ownEngine ??
    createMemoryEngine(
      { isOnline: true, load: (port, session) => page.load(port, session), answerPost: async () => 200 },
      { isSignedIn: true },
    )
  const notices: string[] = []
  const onNotice = (sentence: string) => void notices.push(sentence)
  return { ...folders, notices, wrapper: createWrapper({ brand, folders, engine, tray: false, onNotice }) }
}
