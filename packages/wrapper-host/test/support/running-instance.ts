import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { locateInstance } from '../../src/start/instance-place.ts'
import { wrapperAt } from './instance-place.ts'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))

/** An instance of this process. The executable hands its launches over to it. */
export async function runningInstance() {
  const folder = await temporaryFolder()
  const userFolder = join(folder.path, 'data')
  const environment = {
    ...process.env,
    SERVICE_WRAPPER_DATA: userFolder,
    XDG_RUNTIME_DIR: folder.path,
    MODULE_LIST: join(folder.path, 'modules.json'),
  }
  const place = locateInstance({ application: defaultBrand.application, userFolder, environment })
  const wrapper = await wrapperAt(place)
  return {
    folder: folder.path,
    userFolder,
    taken: wrapper.launches,
    /** Runs the executable. Returns its loaded modules. */
    async modulesOf(program: string, argv: readonly string[] = []) {
      const preload = pathToFileURL(join(packageFolder, 'test/support/list-modules.ts')).href
      const options = ['-C', '@service-link/source', '--no-warnings', '--import', preload]
      const { stderr } = await promisify(execFile)(process.execPath, [...options, program, ...argv], {
        env: environment,
        cwd: folder.path,
      })
      if (stderr !== '') throw new Error(stderr)
      return JSON.parse(await readFile(environment.MODULE_LIST, 'utf8'))
    },
    async [Symbol.asyncDispose]() {
      await wrapper[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}
