import { mkdir, writeFile } from 'node:fs/promises'
import { assetNames } from '@service-link/wrapper-host/packing'
import { bundleWrapper, programFiles } from '../src/bundle-program.ts'

// The program that goes into executables. It is made of the sources of wrapper-host when this package is built.
const folder = new URL('../dist/program/', import.meta.url)
await mkdir(folder, { recursive: true })
const { main, assets, licences } = await bundleWrapper()
const files = {
  [programFiles.main]: main,
  [programFiles.commands]: assets[assetNames.commands] ?? '',
  [programFiles.licences]: licences,
}
for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text)
