/** A storage that a browser may have switched off, as it may cookies: it is then as if it were empty. */
export interface Keep {
  read(key: string): string | undefined
  /** `undefined` removes. What cannot be kept is gone with the page. */
  write(key: string, value: string | undefined): void
}

/** Kept for this tab. */
export const tabKeep: Keep = keepIn(() => sessionStorage)

/** Kept for this browser, and told to its other tabs. */
export const browserKeep: Keep = keepIn(() => localStorage)

/** Already the storage's name throws where it is switched off. */
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
        // See above.
      }
    },
  }
}
