import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type IconPicture, readIcon } from '@service-link/protocol-core/windows'
import {
  assetNames,
  digestOf,
  failureReason,
  helpText,
  type PackedIdentity,
  packedBrowserFolder,
  packedBrowserName,
  packedIconNames,
  pinsAsset,
} from '@service-link/wrapper-host/packing'
import { type BrowserFolder, readBrowserFolder } from './brand/browser-folder.ts'
import { neutralIcon } from './brand/icon.ts'
import { bundleEntry, loadProgram } from './bundle-program.ts'
import { buildExecutable, checkExecutable } from './executable/build-executable.ts'
import { brandLauncher, loadLauncher } from './executable/launcher.ts'
import { brandWindowsProgram } from './executable/windows-executable.ts'
import { makeInstaller } from './msi/make-installer.ts'
import { chooseNodes, readNodeLicense } from './node/choose-nodes.ts'
import { PackError, type PackPlan, type PackTarget } from './pack-plan.ts'
import { fillFolder, findTrayProgram, placeFiles } from './packed-folder.ts'
import { writePolicies } from './policies/write-policies.ts'
import { partsOfNode, writeSbom } from './sbom.ts'
import { signFile, signPrograms } from './sign-file.ts'

interface PackWrapperOptions {
  readonly plan: PackPlan
  readonly target: PackTarget
  /** Folder for the packed one; made when missing. */
  readonly output: string
  /** Version of Node, exact, three parts. */
  readonly nodeVersion: string
  /** File of the platform's Node. Default: fetched by npm. */
  readonly node?: string | undefined
  /** Makes an installer for Windows too. */
  readonly installer: boolean
  /** Replaces a folder that is there. Otherwise it is an error. */
  readonly force: boolean
  readonly signal: AbortSignal
  /** Called before each step that takes time. */
  onProgress(sentence: string): void
}

/** Absolute paths of the output. */
interface PackedWrapper {
  /** `<output>/<application>-<version>-<platform>`. */
  readonly folder: string
  readonly executable: string
  /** `<folder>.cdx.json`: what it consists of, as CycloneDX. */
  readonly sbom: string
  /** Beside the folder; absent when none was made. */
  readonly installer?: string
}

/**
 * Packs a wrapper for one platform into a folder, for Windows with an installer and a template of group policies beside it. It makes both in a temporary folder, and moves
 * them to their places at the end.
 */
export async function packWrapper(options: PackWrapperOptions): Promise<PackedWrapper> {
  const { plan, target, signal } = options
  const output = resolve(options.output)
  const name = `${plan.brand.application}-${plan.version}-${target.platform}`
  // Also without an installer: a former one does not fit the new folder.
  const extras = ['msi', 'wxs', 'policies'].map(kind => `${plan.brand.application}.${plan.version}.${kind}`)
  const sbom = `${name}.cdx.json`
  const places = [name, sbom, ...(target.isWindows ? extras : [])]
  await whileWriting(() => mkdir(output, { recursive: true }))
  for (const place of places)
    if (!options.force && existsSync(join(output, place)))
      throw new PackError(
        `${join(output, place)} is there already. Pack another version, remove it, or replace it with --force.`,
      )
  const temporary = await whileWriting(() => mkdtemp(join(output, '.packing-')))
  try {
    const packed = join(temporary, 'packed')
    const work = join(temporary, 'work')
    await mkdir(packed)
    await mkdir(work)
    const parts = await packInto(packed, work, options)
    await whileWriting(() => writeFile(join(temporary, sbom), parts))
    const isInstalled = options.installer && target.isWindows
    const installer = isInstalled
      ? await makeSignedInstaller(packed, join(temporary, 'installer'), options)
      : []
    const policies = target.isWindows ? [await makePolicies(temporary, plan)] : []
    signal.throwIfAborted()
    await whileWriting(async () => {
      const beside = [join(temporary, sbom), ...installer, ...policies]
      const made = [...beside.map(from => ({ from, name: basename(from) })), { from: packed, name }]
      await placeFiles({ made, former: places, folder: output })
    })
    const msi = installer.find(file => file.endsWith('.msi'))
    return {
      folder: join(output, name),
      executable: join(output, name, target.executable(plan.brand)),
      sbom: join(output, sbom),
      ...(msi ? { installer: join(output, basename(msi)) } : {}),
    }
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function makeSignedInstaller(
  folder: string,
  output: string,
  { plan, signal, onProgress }: PackWrapperOptions,
): Promise<readonly string[]> {
  onProgress('Making the installer …')
  const file = await makeInstaller({ plan, folder, output, signal })
  if (plan.sign) {
    onProgress(`Signing ${basename(file)} …`)
    await signFile(file, plan.sign, signal)
  }
  return (await readdir(output)).map(name => join(output, name))
}

/** Writes the template of group policies into a folder of its own. */
async function makePolicies(temporary: string, plan: PackPlan): Promise<string> {
  const folder = join(temporary, `${plan.brand.application}.${plan.version}.policies`)
  await whileWriting(async () => {
    for (const [name, content] of Object.entries(writePolicies(plan))) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), content)
    }
  })
  return folder
}

/** @returns the list of its parts, as CycloneDX */
async function packInto(packed: string, work: string, options: PackWrapperOptions): Promise<string> {
  const { plan, target, nodeVersion, signal, onProgress } = options
  for (const sentence of remarksOn(options)) onProgress(sentence)
  const browser = await findBrowser(options)
  const file = options.node === undefined ? undefined : resolve(options.node)
  const finding = { version: nodeVersion, signal, onProgress }
  const nodes = await chooseNodes({ target, file, ...finding })
  const program = await (plan.entry === undefined ? loadProgram() : bundleEntry(plan.entry))
  const output = join(packed, target.executable(plan.brand))
  const icon = plan.icon ? await readFile(plan.icon) : neutralIcon()
  onProgress(`Making ${basename(output)} …`)
  let { node } = nodes
  if (target.isWindows) {
    const branded = brandWindowsProgram(await readFile(node), plan.brand.executable, plan, icon)
    node = join(work, 'node.exe')
    await writeFile(node, branded)
  }
  const modules = await readModules(plan)
  const pins = Array.from(modules, ([name, content]) => [name, digestOf(content)])
  const assets = {
    [pinsAsset]: JSON.stringify(Object.fromEntries(pins)),
    [assetNames.identity]: identityOf(plan),
    ...(browser ? { [packedBrowserName]: browser.program } : {}),
    ...(await trayIcons(target, plan)),
  }
  const isForWindows = target.isWindows
  const { builder } = nodes
  await buildExecutable({ program, isForWindows, assets, node, builder, output, workFolder: work, signal })
  if (target.runsOn === `${process.platform}-${process.arch}`)
    await checkExecutable(output, helpText(basename(output), plan.brand), signal)
  const launcher = join(packed, target.launcher(plan.brand))
  const launcherLicense = await makeLauncher(launcher, work, icon, options)
  const tray = isForWindows ? undefined : await findTrayProgram()
  if (!isForWindows && !tray)
    onProgress(
      'The optional package systray2 is not installed: the wrapper has no icon in the notification area.',
    )
  const nodeLicense = await readNodeLicense([nodes.node, nodes.builder], finding)
  const partLicenses = [
    ...(launcherLicense ? [launcherLicense] : []),
    ...(browser ? [`The folder browser: Chromium\n\nIts licenses are at chrome://credits in it.\n`] : []),
    ...(tray ? [`The program in the folder tray: systray2\n\n${tray.license.trim()}\n`] : []),
  ]
  const licenses = licensesText(nodeVersion, nodeLicense, program.licenses, partLicenses)
  await whileWriting(() => fillFolder({ folder: packed, plan, modules, tray, browser, licenses }))
  // Last: what others bring along is signed too.
  if (plan.sign && isForWindows) await signPrograms({ folder: packed, tool: plan.sign, signal, onProgress })
  const digest = createHash('sha256')
    .update(await readFile(nodes.node))
    .digest('hex')
  const parts = await partsOfNode(nodes.builder, signal)
  return writeSbom({
    ...{ plan, target, program, modules, node: { version: nodeVersion, digest, parts } },
    launcher: launcherLicense === undefined ? undefined : basename(launcher),
    others: [
      ...(browser ? [{ type: 'application' as const, name: packedBrowserFolder }] : []),
      ...(tray
        ? [{ type: 'application' as const, name: basename(tray.file), purl: 'pkg:npm/systray2' }]
        : []),
    ],
  })
}

/** What the executable holds about itself. */
function identityOf({ brand, version, language, texts }: PackPlan): string {
  const identity: PackedIdentity = { brand, version, language, texts }
  return JSON.stringify(identity)
}

/** What the brand file leaves to somebody else. */
function remarksOn({ plan, target }: PackWrapperOptions): readonly string[] {
  const { brand, settings, entry } = plan
  const hasAddress = URL.canParse(settings.AppUrl ?? brand.appUrl) || entry !== undefined
  return [
    ...(plan.sign && !target.isWindows
      ? [`Nothing is signed for ${target.platform}: sign is for Windows.`]
      : []),
    ...(hasAddress
      ? []
      : [
          `The brand file has no appUrl: the wrapper starts when ${brand.configFile} has the setting AppUrl.`,
        ]),
  ]
}

/** The browser of the plan, if it fits the platform. */
async function findBrowser({
  plan,
  target,
  onProgress,
}: PackWrapperOptions): Promise<BrowserFolder | undefined> {
  if (plan.browser === undefined) return undefined
  const found = await readBrowserFolder(plan.browser, target)
  if (typeof found === 'string') throw new PackError(`The folder of browser ${found}.`)
  onProgress(
    `The wrapper has its own browser: ${found.files.length} files, ${Math.round(found.bytes / 1e6)} MB. Pack it again for each of its security updates.`,
  )
  return found
}

/** Reads the modules once: the executable gets their digests, and the folder what was read. */
async function readModules({ providerModules }: PackPlan): Promise<ReadonlyMap<string, Uint8Array>> {
  try {
    const read = providerModules.map(async file => [basename(file), await readFile(file)] as const)
    return new Map(await Promise.all(read))
  } catch (error) {
    throw new PackError(`A module of a provider cannot be read (${failureReason(error)}).`)
  }
}

/** @returns title and license of what is linked into the launcher; nothing if this package lacks the platform's launcher */
async function makeLauncher(
  file: string,
  workFolder: string,
  icon: Uint8Array,
  { plan, target, signal, onProgress }: PackWrapperOptions,
): Promise<string | undefined> {
  const launcher = await loadLauncher(target, workFolder, signal)
  if (!launcher) {
    onProgress(`No compiler was there for ${basename(file)}: the wrapper has no launcher.`)
    return undefined
  }
  const branded = brandLauncher(launcher.program, plan.brand)
  const made = target.isWindows ? brandWindowsProgram(branded, basename(file), plan, icon) : branded
  await writeFile(file, made)
  await chmod(file, 0o755)
  return launcher.license
}

/** On Windows the icons themselves; elsewhere the PNG picture of the first that is nearest to 32 pixels. */
async function trayIcons(
  { isWindows }: PackTarget,
  { icon: file, iconOnLight }: PackPlan,
): Promise<Record<string, Uint8Array>> {
  const [icon, light] = await Promise.all([file, iconOnLight].map(async name => name && readFile(name)))
  const { onDark, onLight } = packedIconNames
  if (isWindows) return { ...(icon ? { [onDark]: icon } : {}), ...(light ? { [onLight]: light } : {}) }
  if (!icon) return {}
  const distance = ({ width }: IconPicture) => Math.abs(width - 32)
  const [picture] = (readIcon(icon) ?? [])
    .filter(({ isPng }) => isPng)
    .sort((a, b) => distance(a) - distance(b))
  return picture ? { [onDark]: picture.bytes } : {}
}

function licensesText(version: string, node: string, program: string, parts: readonly string[]): string {
  const line = `\n${'='.repeat(78)}\n\n`
  return [
    `This program holds Node.js ${version} and the packages below.\n`,
    program,
    ...parts,
    `Node.js ${version}\n\n${node.trim()}\n`,
  ].join(line)
}

async function whileWriting<Value>(write: () => Promise<Value>): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof PackError) throw error
    throw new PackError(`The folder cannot be written (${failureReason(error)}).`)
  }
}
