import type { Brand } from '@service-link/protocol-core'

/** The settings for everybody as an installer delivers them, beside those that count. */
export function deliveredSettings(brand: Brand): string {
  return `${brand.configFile}.default`
}
