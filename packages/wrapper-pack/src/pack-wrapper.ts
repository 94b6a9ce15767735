import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { assetNames, failureReason, packedIconName } from '@service-link/wrapper-host/packing'
import { type IconPicture, neutralIcon, readIcon } from './brand/icon.ts'
import { buildExecutable } from './executable/build-executable.ts'
import { checkExecutable } from './executable/check-executable.ts'
import { brandWindowsNode } from './executable/windows-executable.ts'
import { fillFolder, findTrayProgram } from './fill-folder.ts'
import { chooseNodes, readNodeLicence } from './node/choose-nodes.ts'
import { PackError, type PackPlan, type PackTarget } from './pack-plan.ts'
import { exists, placeFiles } from './place-files.ts'
import type { Program } from './program/bundle-program.ts'
import { loadProgram } from './program/wrapper-program.ts'
import { signFile } from './sign-file.ts'

/** Options of {@link packWrapper}. */
export interface PackWrapperOptions {
  readonly plan: PackPlan
  readonly target: PackTarget
  /** Folder in which the packed one is made; made when missing. */
  readonly output: string
  /** Version of Node, exact, three parts. */
  readonly nodeVersion: string
  /** File of the platform's Node. Default: fetched by npm. */
  readonly node?: string | undefined
  /** Makes an installer too, of a wrapper for Windows. */
  readonly installer: boolean
  /** Takes the place of a folder that is there. Default: it is an error. */
  readonly force?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** What the wrapper's own program prints for `--help` when it is started as `command`: it is compared where it can be started. */
  helpText(command: string): string
  /** Told what is done. */
  onProgress(sentence: string): void
}

/** What was packed. */
export interface PackedWrapper {
  /** Absolute path of the folder, `<output>/<application>-<version>-<platform>`. */
  readonly folder: string
  /** Absolute path. */
  readonly executable: string
  /** Absolute path, beside the folder; nothing when none was made. */
  readonly installer?: string
}

/**
 * Packs a wrapper for one platform into a folder, with an installer beside it. Both are made in a folder beside their places, and
 * moved there when all is right.
 *
 * @throws {PackError} when it cannot be packed; nothing is left then, but for what was there and cannot be put back, whose folder is named
 */
export async function packWrapper(options: PackWrapperOptions): Promise<PackedWrapper> {
  const { plan, target, signal } = options
  const output = resolve(options.output)
  const name = `${plan.brand.application}-${plan.version}-${target.platform}`
  const isInstalled = options.installer && target.isWindows
  // Without an installer too: one that is there is not of what is packed now.
  const installers = ['msi', 'wxs'].map(kind => `${plan.brand.application}.${plan.version}.${kind}`)
  const places = [name, ...(target.isWindows ? installers : [])]
  await whileWriting(() => mkdir(output, { recursive: true }))
  for (const place of places)
    if (!options.force && (await exists(join(output, place))))
      throw new PackError(
        'folder',
        `${join(output, place)} is there already. Pack another version, remove it, or replace it with --force.`,
      )
  const temporary = await whileWriting(() => mkdtemp(join(output, '.packing-')))
  try {
    const packed = join(temporary, 'packed')
    const work = join(temporary, 'work')
    await mkdir(packed)
    await mkdir(work)
    await packInto({ ...options, packed, work })
    const installer = isInstalled
      ? await makeSignedInstaller(options, packed, join(temporary, 'installer'))
      : []
    signal?.throwIfAborted()
    await whileWriting(async () => {
      const made = [...installer.map(from => ({ from, name: basename(from) })), { from: packed, name }]
      await placeFiles({ made, stale: places, folder: output, aside: `${temporary}-former` })
    })
    const msi = installer.find(file => file.endsWith('.msi'))
    return {
      folder: join(output, name),
      executable: join(output, name, target.executable(plan.brand)),
      ...(msi ? { installer: join(output, basename(msi)) } : {}),
    }
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The files that are made: the installer, and the source that it was made of. */
async function makeSignedInstaller(
  { plan, signal, onProgress }: PackWrapperOptions,
  folder: string,
  output: string,
): Promise<readonly string[]> {
  onProgress('Making the installer …')
  const { makeInstaller } = await import('./msi/make-installer.ts')
  const file = await makeInstaller({ plan, folder, output, ...(signal ? { signal } : {}) })
  if (plan.sign) {
    onProgress(`Signing ${basename(file)} …`)
    await signFile(file, plan.sign, signal)
  }
  return (await readdir(output)).map(name => join(output, name))
}

interface PackIntoOptions extends PackWrapperOptions {
  readonly packed: string
  readonly work: string
}

async function packInto(options: PackIntoOptions): Promise<void> {
  const { plan, target, packed, work, nodeVersion, signal, onProgress } = options
  const file = options.node === undefined ? undefined : resolve(options.node)
  const nodes = await chooseNodes({ target, version: nodeVersion, file, signal, onProgress })
  const program = await programOf(plan)
  const output = join(packed, target.executable(plan.brand))
  const icon = plan.icon ? await readFile(plan.icon) : neutralIcon()
  onProgress(`Making ${basename(output)} …`)
  let { node } = nodes
  if (target.isWindows) {
    const branded = brandWindowsNode(await readFile(node), plan, icon)
    node = join(work, 'node.exe')
    await writeFile(node, branded)
  }
  const assets = {
    [assetNames.identity]: JSON.stringify({ brand: plan.brand, version: plan.version }),
    ...trayIcon(target, plan.icon ? icon : undefined),
  }
  const isForWindows = target.isWindows
  const { builder } = nodes
  await buildExecutable({ program, isForWindows, assets, node, builder, output, workFolder: work, signal })
  const isRunHere = target.runsOn === `${process.platform}-${process.arch}` && plan.entry === undefined
  const helpText = isRunHere ? options.helpText(basename(output)) : undefined
  await checkExecutable({ file: output, plan, isForWindows, nodeVersion, helpText, signal })
  if (plan.sign && isForWindows) {
    onProgress(`Signing ${basename(output)} …`)
    await signFile(output, plan.sign, signal)
  }
  const tray = await findTrayProgram(target)
  if (!tray)
    onProgress(
      'The optional package systray2 is not installed: the wrapper has no icon in the notification area.',
    )
  const found = [nodes.node, nodes.builder]
  const ofNode = await readNodeLicence({ nodes: found, version: nodeVersion, signal, onProgress })
  const licences = licencesText(nodeVersion, ofNode, program.licences, tray?.licence)
  await whileWriting(() => fillFolder({ folder: packed, plan, tray, licences }))
}

async function programOf({ entry }: PackPlan): Promise<Program> {
  if (entry === undefined) return loadProgram()
  return (await import('./program/bundle-program.ts')).bundleEntry(entry)
}

/** On Windows the icon itself; elsewhere one of its pictures, when it is a PNG: the nearest to 32 pixels. */
function trayIcon({ isWindows }: PackTarget, icon: Uint8Array | undefined): Record<string, Uint8Array> {
  if (icon === undefined) return {}
  if (isWindows) return { [packedIconName]: icon }
  const distance = ({ width }: IconPicture) => Math.abs(width - 32)
  const [picture] = (readIcon(icon) ?? [])
    .filter(({ isPng }) => isPng)
    .sort((a, b) => distance(a) - distance(b))
  return picture ? { [packedIconName]: picture.bytes } : {}
}

function licencesText(version: string, node: string, program: string, tray: string | undefined): string {
  const line = `\n${'='.repeat(78)}\n\n`
  return [
    `This program holds Node.js ${version} and the packages below.\n`,
    program,
    ...(tray ? [`The program in the folder tray: systray2\n\n${tray.trim()}\n`] : []),
    `Node.js ${version}\n\n${node.trim()}\n`,
  ].join(line)
}

async function whileWriting<Value>(write: () => Promise<Value>): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof PackError) throw error
    throw new PackError('folder', `The folder cannot be written (${failureReason(error)}).`)
  }
}
