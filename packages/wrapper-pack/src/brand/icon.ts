import { readFileSync } from 'node:fs'

/** Reads the neutral icon: a Windows icon file with the sizes that Windows shows. */
export function neutralIcon(): Uint8Array {
  return readFileSync(
    new URL('icons/neutral.ico', import.meta.resolve('@service-link/wrapper-pack/package.json')),
  )
}
