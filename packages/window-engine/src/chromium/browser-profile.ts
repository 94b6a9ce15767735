import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../engine-error.ts'

/**
 * The window shows clinical data, often at a shared desk. So the browser must not remember typed text, keep passwords or send text
 * away for translation.
 */
const preferences = {
  credentials_enable_service: false,
  credentials_enable_autosignin: false,
  profile: { password_manager_enabled: false },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  translate: { enabled: false },
  search: { suggest_enabled: false },
}

/** Base of the browser's zoom levels: it stores the exponent. */
const zoomBase = 1.2

interface ProfileOptions {
  /** Folder that gets the profile as a folder of its own. Made when missing. */
  readonly profileFolder: string
  /** What the browser's own pages and lists call the profile by. Default: `p`. */
  readonly identity?: { readonly name: string } | undefined
  /** Zoom of the pages of {@link origins}; 1 is their own size. Default 1. */
  readonly zoom?: number | undefined
  readonly origins: readonly string[]
}

/**
 * Makes a new profile, for this user alone, with preferences. Each browser has its own: no lock, history or half-written file of
 * another one concerns it, whatever host it ran on and however it ended.
 *
 * @returns the profile's folder; the caller removes it with {@link removeProfile}
 * @throws {EngineError} `profile-unusable` when it cannot be made
 */
export async function makeProfile({
  profileFolder,
  identity,
  zoom = 1,
  origins,
}: ProfileOptions): Promise<string> {
  try {
    await mkdir(profileFolder, { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(join(profileFolder, `${folderNameOf(identity?.name)}-`))
    await mkdir(join(folder, 'Default'), { mode: 0o700 })
    const text = JSON.stringify({ ...preferences, ...zoomPreferences(zoom, origins) })
    await writeFile(join(folder, 'Default', 'Preferences'), text, { mode: 0o600 })
    return folder
  } catch (error) {
    const problem = `The browser’s profile cannot be made in the folder ${profileFolder} (${codeOf(error)}).`
    throw new EngineError('profile-unusable', `${problem} ${remedyOf(codeOf(error))}`)
  }
}

/**
 * Removes a profile whose browser has ended, with all that the browser has kept.
 *
 * @returns the system's code, such as `EBUSY`, if something of it is left. Never rejects
 */
export async function removeProfile(folder: string): Promise<string | undefined> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    return undefined
  } catch (error) {
    return codeOf(error)
  }
}

/** Letters and digits alone: paths of the profile get long, and have a limit on Windows. */
function folderNameOf(name = ''): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').slice(0, 16) || 'p'
}

/** The browser keeps a zoom for each host; `x` is the partition of ordinary pages. */
function zoomPreferences(zoom: number, origins: readonly string[]) {
  const entry = { zoom_level: Math.log(zoom) / Math.log(zoomBase), last_modified: '0' }
  const x = Object.fromEntries(origins.map(origin => [new URL(origin).hostname, entry]))
  return { partition: { per_host_zoom_levels: { x } } }
}

function remedyOf(code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'Free space on its disk.'
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'A file has the place of a folder. Remove it.'
  if (code === 'ENAMETOOLONG') return 'Choose a folder with a shorter path.'
  return 'Make sure that this user may write there.'
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'unknown'
}
