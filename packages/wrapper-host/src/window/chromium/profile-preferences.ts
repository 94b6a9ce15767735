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

/**
 * Makes the browser's profile folder, for this user alone, and sets its preferences. To be called while no browser runs on
 * it: the browser reads its preferences when it starts. All others that it keeps there stay.
 */
export async function prepareProfile(profileFolder: string): Promise<void> {
  const folder = join(profileFolder, 'Default')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'Preferences')
  const merged = JSON.stringify(merge(await readPreferences(file), preferences))
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, merged, { mode: 0o600 })
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

function merge(kept: unknown, set: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged: Record<string, unknown> = isObject(kept) ? { ...kept } : {}
  for (const [name, value] of Object.entries(set))
    merged[name] = isObject(value) ? merge(merged[name], value) : value
  return merged
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
