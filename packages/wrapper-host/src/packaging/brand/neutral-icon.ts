import { readFileSync } from 'node:fs'

/** The neutral icon as a Windows icon file, in the sizes that Windows shows. */
export function neutralIcon(): Uint8Array {
  return readFileSync(
    new URL('icons/neutral.ico', import.meta.resolve('@service-link/wrapper-host/package.json')),
  )
}
