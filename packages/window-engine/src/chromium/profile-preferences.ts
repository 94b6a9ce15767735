import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * What the browser must not do on its own account: the window shows clinical data, often at a desk that several people
 * share, so nothing typed is remembered, no password is kept and no text is sent away to be translated.
 */
const preferences: Readonly<Record<string, unknown>> = {
  credentials_enable_service: false,
  credentials_enable_autosignin: false,
  profile: { password_manager_enabled: false },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  translate: { enabled: false },
  search: { suggest_enabled: false },
}

/** What a zoom is reckoned from: the browser keeps the power of this, and in steps of its own. */
const zoomBase = 1.2

/** What is to be set beside what always is. */
interface ProfileOptions {
  readonly profileFolder: string
  /** Zoom of the pages of {@link origins}; 1 is their own size. As the browser has kept it when absent. */
  readonly zoom?: number
  readonly origins: readonly string[]
}

/**
 * Makes the browser's profile folder, for this user alone, and sets its preferences. To be called while no browser runs on
 * it: the browser reads its preferences when it starts. All others that it keeps there stay.
 */
export async function prepareProfile({ profileFolder, zoom, origins }: ProfileOptions): Promise<void> {
  const folder = join(profileFolder, 'Default')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'Preferences')
  const merged = merge(await readPreferences(file), preferences)
  if (zoom !== undefined) setZoom(merged, zoom, origins)
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, JSON.stringify(merged), { mode: 0o600 })
  await rename(temporary, file)
}

/** The browser's own preferences; none where there are none or they cannot be read, as the browser itself has it. */
async function readPreferences(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return {}
  }
}

/** The browser keeps a zoom for each host, under `x` for all that is not within an app of its own. */
function setZoom(preferences: Record<string, unknown>, zoom: number, origins: readonly string[]): void {
  const entry = { zoom_level: Math.log(zoom) / Math.log(zoomBase), last_modified: '0' }
  const x = Object.fromEntries(origins.map(origin => [new URL(origin).hostname, entry]))
  Object.assign(preferences, merge(preferences, { partition: { per_host_zoom_levels: { x } } }))
}

function merge(kept: unknown, set: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged: Record<string, unknown> = isObject(kept) ? { ...kept } : {}
  for (const [name, value] of Object.entries(set))
    merged[name] = isObject(value) ? merge(merged[name], value) : value
  return merged
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
