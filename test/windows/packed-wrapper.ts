import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Brand, defineBrand } from '../../packages/protocol-core/src/wrapper/brand.ts'
import { machineFolder } from './wine/windows-machine.ts'
import { fetchWindowsNode } from './wine/windows-node.ts'

const packer = fileURLToPath(
  new URL('../../packages/wrapper-pack/src/service-webwrapper-pack.ts', import.meta.url),
)

const names = {
  name: 'Acme',
  vendor: 'Acme Health',
  displayName: 'Acme Træning',
  appUrl: 'https://app.acme.example/',
  registryKey: 'Software\\Acme Health (Åse & Co.)\\Web Wrapper',
  providers: { arguments: ['Acme.Gym.Component, Acme', 'Acme.Desktop.Arguments.Component, Acme.Desktop'] },
}

/** A provider that is packed. It selects the person of the argument `patient`. */
const journal = `export const Component = {
  async provide({ arguments: { otherValues } }) {
    const args = { customId: otherValues.patient, firstname: 'Ola', lastname: 'Dyk', dateOfBirth: '1980-04-03' }
    return { commands: [{ name: 'selectperson', args }] }
  },
}`

/** The brand of the packed wrapper, different from the default. */
export const packedBrand: Brand = defineBrand(names)

/** Its version. */
export const packedVersion = '3.1.0.0'

let packed: Promise<string> | undefined

/**
 * Packs a wrapper for Windows, once per test run.
 *
 * @returns absolute host path of the folder with its executable; read only
 */
export function packForWindows(): Promise<string> {
  packed ??= pack(join(machineFolder(), 'packed'))
  return packed
}

async function pack(output: string): Promise<string> {
  await rm(output, { recursive: true, force: true })
  await mkdir(output, { recursive: true })
  const brandFile = join(output, 'brand.json')
  await writeFile(join(output, 'Acme.Journal.mjs'), journal)
  const further = { distributorName: 'Acme Distribution', providerModules: ['Acme.Journal.mjs'] }
  await writeFile(brandFile, JSON.stringify({ ...names, ...further, version: packedVersion }))
  const node = await fetchWindowsNode(join(machineFolder(), 'node'))
  const argv = ['-C', '@service-link/source', packer, brandFile, '--output', output, '--platform', 'win-x64']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...argv, '--no-installer', '--node', node, '--json'],
    { timeout: 240_000 },
  )
  const [made] = JSON.parse(stdout)
  return dirname(made.executable)
}
