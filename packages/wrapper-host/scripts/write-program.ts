import { mkdir, writeFile } from 'node:fs/promises'
import { assetNames } from '../src/packaging/program/asset-names.ts'
import { bundleWrapper } from '../src/packaging/program/bundle-wrapper.ts'
import { programFiles } from '../src/packaging/program/load-program.ts'

// The program that `service-webwrapper-pack` puts into executables: part of the package's build.
const folder = new URL('../dist/packaging/program/', import.meta.url)
await mkdir(folder, { recursive: true })
const { main, assets, licences } = await bundleWrapper()
const files = {
  [programFiles.main]: main,
  [programFiles.commands]: assets[assetNames.commands] ?? '',
  [programFiles.licences]: licences,
}
for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text)
