/** Names of what a packed executable holds beside the module that it begins with. */
export const assetNames = {
  /** JSON: `brand` and `version`. */
  identity: 'brand.json',
  /** The program except for the hand-off, a CommonJS module. */
  commands: 'commands.cjs',
} as const
