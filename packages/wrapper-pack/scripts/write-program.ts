import { mkdir, writeFile } from 'node:fs/promises'
import { assetNames } from '@service-link/wrapper-host/packing'
import { bundleWrapper, programFiles } from '../src/bundle-program.ts'
import { buildLauncher } from '../src/executable/launcher.ts'
import { packTargets } from '../src/pack-plan.ts'

// What goes into packed wrappers. The program is made of the sources of wrapper-host when this package is built.
const folderOf = async (name: string) => {
  const folder = new URL(`../dist/${name}/`, import.meta.url)
  await mkdir(folder, { recursive: true })
  return folder
}
const programFolder = await folderOf('program')
const { main, assets, licenses, packages } = await bundleWrapper()
const files = {
  [programFiles.main]: main,
  [programFiles.parts]: assets[assetNames.parts] ?? '',
  [programFiles.licenses]: licenses,
  [programFiles.packages]: JSON.stringify(packages),
}
for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, programFolder), text)

const launcherFolder = await folderOf('launcher')
for (const target of Object.values(packTargets)) {
  if (await buildLauncher(target, launcherFolder)) continue
  const sentence = `The compiler of the launcher for ${target.platform} is not installed`
  if (process.env.CI) throw new Error(`${sentence}.`)
  console.error(`${sentence}: wrappers are packed without it.`)
}
