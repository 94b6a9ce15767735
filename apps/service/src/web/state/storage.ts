import { type Shared, shared } from '@service-link/ui/shared'
import type * as z from 'zod/mini'

/** Makes a value that survives a reload of the tab. A stored value that does not match the schema is dropped. */
export function keptInTab<Value>(key: string, schema: z.ZodMiniType<Value>): Shared<Value | undefined> {
  const value = shared(readKept(tabKeep, key, schema))
  return {
    ...value,
    set(next) {
      tabKeep.write(key, next && JSON.stringify(next))
      value.set(next)
    },
  }
}

/** Reads a JSON value; `undefined` without a value that matches the schema. */
export function readKept<Value>(keep: Keep, key: string, schema: z.ZodMiniType<Value>): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(keep.read(key) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** A storage of the browser; empty if the browser blocks it. */
interface Keep {
  read(key: string): string | undefined
  /** `undefined` removes the key. */
  write(key: string, value: string | undefined): void
}

/** Kept for this tab, through reloads. */
export const tabKeep: Keep = keepIn(() => sessionStorage)

/** Kept for this browser. Its other tabs get an event. */
export const browserKeep: Keep = keepIn(() => localStorage)

/** If storage is blocked, even reading the property throws. */
function keepIn(storage: () => Storage): Keep {
  return {
    read(key) {
      try {
        return storage().getItem(key) ?? undefined
      } catch {
        return undefined
      }
    },
    write(key, value) {
      try {
        if (value === undefined) storage().removeItem(key)
        else storage().setItem(key, value)
      } catch {
        // Without storage the value ends with the page.
      }
    },
  }
}
