import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { type DoctorChecks, doctorInput, runChecks } from '../../src/doctor/doctor-check.ts'
import { extraChecks, machineChecks } from '../../src/doctor/machine-checks.ts'
import { siteChecks } from '../../src/doctor/site-checks.ts'
import { wrapperChecks } from '../../src/doctor/wrapper-checks.ts'
import { locateInstance } from '../../src/start/instance-place.ts'

const version = '3.0.0.0'
const allChecks: DoctorChecks = {
  ...machineChecks,
  ...siteChecks,
  ...extraChecks,
  ...wrapperChecks,
}

/** Folders for the doctor to check, removed at the end of the scope. */
export async function doctorPlace(variables: NodeJS.ProcessEnv = {}) {
  const folder = await temporaryFolder()
  const folders = { applicationRoot: join(folder.path, 'root'), userFolder: join(folder.path, 'data') }
  await mkdir(folders.applicationRoot)
  const environment = { XDG_RUNTIME_DIR: folder.path, TMPDIR: folder.path, ...variables }
  const { application } = defaultBrand
  return {
    ...folders,
    folder: folder.path,
    configFile: join(folders.applicationRoot, defaultBrand.configFile),
    userConfig: join(folders.userFolder, version, 'user.config'),
    place: locateInstance({ application, userFolder: folders.userFolder, environment }),
    /** Writes the configuration for everybody. */
    async configure(settings: Readonly<Record<string, string>>) {
      await writeFile(this.configFile, configOf('applicationSettings', settings))
    },
    /** Writes the user's configuration. */
    async configureUser(settings: Readonly<Record<string, string>>) {
      await mkdir(join(folders.userFolder, version), { recursive: true, mode: 0o700 })
      await writeFile(this.userConfig, configOf('userSettings', settings))
    },
    /** Runs one check. */
    async find(name: string, options: { readonly wrapperTimeoutMs?: number } = {}) {
      const check = allChecks[name]
      if (!check) throw new Error('There is no such check.')
      const input = doctorInput({ brand: defaultBrand, version, folders, environment, ...options })
      const [finding] = await runChecks({ [name]: check }, input, 60_000)
      return finding
    },
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  }
}

function configOf(section: string, settings: Readonly<Record<string, string>>): string {
  const written = Object.entries(settings).map(
    ([name, value]) => `<setting name="${name}"><value>${value}</value></setting>`,
  )
  return `<configuration><${section}><S>${written.join('')}</S></${section}></configuration>`
}
