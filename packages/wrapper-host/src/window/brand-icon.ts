import * as sea from 'node:sea'

/** Names of the assets of a packed executable with the brand's pictures for a dark taskbar, or any, and for a light one. */
export const packedIconNames = { onDark: 'tray-icon', onLight: 'tray-icon-on-light' } as const

/**
 * The brand's picture of a packed wrapper.
 *
 * @returns in the platform's format; nothing when the wrapper is not packed, or packed without one
 */
export function packedIcon(taskbar: keyof typeof packedIconNames = 'onDark'): Uint8Array | undefined {
  const name = packedIconNames[taskbar]
  // Node without a list of assets makes no packed executable.
  if (!sea.isSea() || !sea.getAssetKeys().includes(name)) return undefined
  return new Uint8Array(sea.getRawAsset(name))
}

/** A window with a title bar and two lines of text: PNG, 32 pixels wide and high. */
const neutralPng =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAA3UlEQVR4nGNgGAWDEagmrzBQTV7hQGVsQIzFCarJK96rJq/4TyMMMjsBn+W0shgdYzpCNXnFfTo64D42B9DLcjAedQBOBxjnrv2/+9yT/ydvvKQqBpkJMpugA0AKaQVAZhN0AMi1tAIgs4eeA649ek92vIP0UuQAkAGUpnZkRww9Bwx4FFAbDD0HfPz663/mlMP/Y7r2EcQgdVR3ALIGUhMcVRwAAuXzThIVAi3Lz1E/BKgNBr0DwE0yv4YdBOOSHAAyE2Q21AFYm2QD2yhlGOhmOZpDBqZjMgoGAgAA9XEHiUryRH4AAAAASUVORK5CYII='

/** The icon of a wrapper without a brand's own, as PNG: a picture of the icon file that its executable is packed with. */
export function neutralPicture(): Uint8Array {
  return Buffer.from(neutralPng, 'base64')
}
