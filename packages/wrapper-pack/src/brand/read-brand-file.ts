import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import {
  type Brand,
  BrandError,
  compareVersions,
  defineBrand,
  defineError,
  type FourPartVersion,
  isKnownCulture,
  issuesOf,
  minimumPipeVersion,
  ParameterError,
  parseVersion,
  type SettingDefinition,
  settingsTable,
} from '@service-link/protocol-core'
import { findNearName } from '@service-link/protocol-core/errors'
import { readIcon } from '@service-link/protocol-core/windows'
import { failureReason, problemsOfTexts, unworkableAddress } from '@service-link/wrapper-host/packing'
import * as z from 'zod/mini'
import type { PackPlan } from '../pack-plan.ts'
import { problemsOfModules } from './check-modules.ts'
import { upgradeCode } from './name-guid.ts'

const maxFileBytes = 256 * 1024
const maxIconBytes = 4 * 1024 * 1024

/** Reads a brand file: JSON with known names only. Paths in it are relative to it, and the files must exist. */
export async function readBrandFile(file: string): Promise<PackPlan> {
  const path = resolve(file)
  const parsed = brandFileSchema.safeParse(await readJson(path), { reportInput: true })
  if (!parsed.success)
    throw new BrandFileError(
      path,
      issuesOf(parsed.error).map(issue => `${issue.path || 'the file'} ${issue.problem}`),
    )
  const content = parsed.data
  const brand = brandOf(path, content)
  const settings = settingsOf(brand, content)
  const folder = dirname(path)
  const at = (name: string | undefined) => (name === undefined ? undefined : resolve(folder, name))
  const icon = at(content.icon)
  const iconOnLight = at(content.iconOnLight)
  const modules = content.providerModules.map(name => resolve(folder, name))
  const entry = at(content.entry)
  const misplaced = [
    ...problemsOfNames(modules),
    ...(
      await Promise.all(modules.map((name, index) => problemsOfFile(`providerModules.${index}`, name)))
    ).flat(),
  ]
  const provider = entry === undefined ? settings.values.ProtocolProvider : undefined
  const problems = [
    ...settings.problems,
    ...problemsOfTexts(content.texts).map(([name, problem]) => `texts.${name} ${problem}`),
    ...(icon ? await problemsOfIcon('icon', icon) : []),
    ...(iconOnLight ? await problemsOfIcon('iconOnLight', iconOnLight) : []),
    ...(misplaced.length > 0 ? misplaced : await problemsOfModules(modules, brand, provider)),
    ...(entry ? await problemsOfFile('entry', entry) : []),
  ]
  if (problems.length > 0) throw new BrandFileError(path, problems)
  return {
    brand,
    version: content.version,
    icon,
    iconOnLight,
    settings: settings.values,
    language: content.language,
    texts: content.texts,
    providerModules: modules,
    entry,
    browser: at(content.browser),
    upgradeCode: content.upgradeCode ?? upgradeCode(brand.vendor, brand.application),
    installFolder: content.installFolder,
    sign: content.sign && { argv: content.sign, folder },
  }
}

async function readJson(file: string): Promise<unknown> {
  const text = await readWhole(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BrandFileError(file, [`the file must be JSON, in UTF-8${placeOf(error, text)}`])
  }
}

/** JavaScript often tells where it stopped. The rest of its message holds text of the file. */
function placeOf(error: unknown, text: string): string {
  const at = /position (\d+)/.exec(String(error))?.[1]
  return at === undefined ? '' : `; see line ${text.slice(0, Number(at)).split('\n').length}`
}

async function readWhole(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size <= maxFileBytes) return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    throw new BrandFileError(file, [`the file cannot be read (${failureReason(error)})`])
  }
  throw new BrandFileError(file, [`the file must have at most ${maxFileBytes / 1024} KiB`])
}

/** Makes the brand of the members that are not the packer's own. */
function brandOf(file: string, content: BrandFile): Brand {
  const names = Object.entries(content).filter(([member]) => !Object.hasOwn(brandFileSchema.shape, member))
  try {
    return defineBrand(Object.fromEntries(names))
  } catch (error) {
    if (!(error instanceof BrandError || error instanceof ParameterError)) throw error
    throw new BrandFileError(file, [error.message.replace(/^(The parameter options\.|Brand option )/, '')])
  }
}

/** Settings that are direct members of a brand file, with the member's name. */
const ownMembers = {
  AppUrl: 'appUrl',
  UpdateUrl: 'updateUrl',
  DistributorName: 'distributorName',
  ProtocolProvider: 'provider',
} as const satisfies Readonly<Record<string, string>>

function settingsOf(brand: Brand, content: BrandFile) {
  const definitions: Readonly<Record<string, SettingDefinition>> = settingsTable(brand)
  const values: Record<string, string> = {}
  const problems: string[] = []
  const add = (place: string, name: string, value: string) => {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined
    const parsed = definition?.parse.safeParse(value)
    if (!definition) problems.push(`${place} is not a setting${didYouMean(name, Object.keys(definitions))}`)
    else if (!parsed?.success)
      problems.push(`${place} ${parsed?.error.issues[0]?.message ?? 'is not acceptable'}`)
    else {
      const problem = unworkableAddress(name, value)
      if (problem === undefined) values[name] = value
      else problems.push(`${place} ${problem}`)
    }
  }
  for (const [name, member] of Object.entries(ownMembers)) {
    const value = content[member]
    if (typeof value === 'string') add(member, name, value)
    if (Object.hasOwn(content.settings, name)) problems.push(`settings.${name} is named ${member} here`)
  }
  for (const [name, value] of Object.entries(content.settings))
    if (!Object.hasOwn(ownMembers, name)) add(`settings.${name}`, name, value)
  return { values, problems }
}

function didYouMean(name: string, known: readonly string[]): string {
  const near = findNearName(name, known)
  return near === undefined ? '' : `; did you mean ${near}?`
}

async function problemsOfIcon(place: string, file: string): Promise<string[]> {
  const problems = await problemsOfFile(place, file)
  if (problems.length > 0) return problems
  if ((await stat(file)).size > maxIconBytes) return [`${place} must have at most 4 MiB`]
  return readIcon(await readFile(file)) ? [] : [`${place} must be a Windows icon (.ico) with whole pictures`]
}

function problemsOfNames(files: readonly string[]): string[] {
  const names = files.map(file => basename(file))
  return names.flatMap((name, index) => {
    if (!/^[A-Za-z_][\w.]*\.mjs$/.test(name))
      return [`providerModules.${index} must be named <Assembly>.mjs, as launches name the assembly`]
    const first = names.findIndex(other => other.toLowerCase() === name.toLowerCase())
    return first === index ? [] : [`providerModules.${index} has the name of providerModules.${first}`]
  })
}

async function problemsOfFile(place: string, file: string): Promise<string[]> {
  try {
    return (await stat(file)).isFile() ? [] : [`${place} must be a file`]
  } catch (error) {
    return [`${place} is not there or cannot be read (${failureReason(error)})`]
  }
}

/**
 * A brand file that cannot be packed.
 *
 * @remedy Correct each place that the message lists.
 * @retry no
 * @seenBy integrator
 */
export class BrandFileError extends defineError(
  'ERR_BRAND_FILE',
  (file: string, problems: readonly string[]) => ({
    message: [`${file} cannot be packed:`, ...problems.map(problem => `  ${problem}`)].join('\n'),
    file,
    /** The faults: each is a place in the file, if known, and a clause without the value. */
    problems,
  }),
) {}

/** Largest version of Windows Installer. */
const largest: FourPartVersion = [255, 255, 65_535, 65_535]

const text = z.string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a text') })
const path = text.check(z.minLength(1, { error: 'must be the name of a file' }))

const version = text.check(
  z.superRefine((value, context) => {
    const problem = problemOfVersion(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  }),
)

const sign = z.array(text, { error: 'must be a list: program and arguments' }).check(
  z.refine(([program = '']) => program !== '', { error: 'must begin with a program' }),
  z.refine(([, ...args]) => args.some(argument => argument.includes('{file}')), {
    error: 'needs an argument with {file}, which stands for the file to be signed',
  }),
)

/** The packer's own members of a brand file. The others are the options of a brand. Settings get further checks. */
const brandFileSchema = z.looseObject({
  version,
  icon: z.optional(path),
  iconOnLight: z.optional(path),
  distributorName: z.optional(text),
  provider: z.optional(text),
  settings: z._default(z.record(z.string(), text, { error: 'must be an object of texts' }), {}),
  language: z.optional(text.check(z.refine(isKnownCulture, { error: 'must be a language tag such as nb' }))),
  texts: z._default(z.record(z.string(), text, { error: 'must be an object of texts' }), {}),
  providerModules: z._default(z.array(path, { error: 'must be a list of files' }), []),
  entry: z.optional(path),
  browser: z.optional(text.check(z.minLength(1, { error: 'must be the name of a folder' }))),
  upgradeCode: z.optional(
    z.pipe(
      text.check(z.regex(/^\{?[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}\}?$/i, { error: 'must be a GUID' })),
      z.transform(value => value.replaceAll(/[{}]/g, '').toUpperCase()),
    ),
  ),
  installFolder: z._default(z.enum(['roaming', 'local'], { error: 'must be roaming or local' }), 'roaming'),
  sign: z.optional(sign),
})

type BrandFile = z.output<typeof brandFileSchema>

function problemOfVersion(value: string): string | undefined {
  // Unlike other versions it may have no white space: it becomes part of file names.
  if (!/^\d{1,5}(\.\d{1,5}){3}$/.test(value))
    return 'must be four numbers with dots between them, such as 3.0.0.0'
  if (/(^|\.)0\d/.test(value)) return 'must be numbers without leading zeros'
  if (value.split('.').some((part, index) => Number(part) > (largest[index] ?? 0)))
    return `must be at most ${largest.join('.')}, which is what the Windows Installer stores`
  if (compareVersions(parseVersion(value), minimumPipeVersion) < 0)
    return `must be at least ${minimumPipeVersion.join('.')}: clients look for no pipe in an older wrapper`
  return undefined
}
