import * as sea from 'node:sea'

/** Name of the asset of a packed executable that holds the brand's picture for the notification area. */
export const packedIconName = 'tray-icon'

/**
 * The brand's picture of a packed wrapper.
 *
 * @returns in the platform's format; nothing when the wrapper is not packed, or packed without one
 */
export function packedIcon(): Uint8Array | undefined {
  // Node without a list of assets makes no packed executable.
  if (!sea.isSea() || !sea.getAssetKeys().includes(packedIconName)) return undefined
  return new Uint8Array(sea.getRawAsset(packedIconName))
}

/** A window with a title bar and two lines of text: PNG, 32 pixels wide and high. */
const neutralPicture =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAA3UlEQVR4nGNgGAWDEagmrzBQTV7hQGVsQIzFCarJK96rJq/4TyMMMjsBn+W0shgdYzpCNXnFfTo64D42B9DLcjAedQBOBxjnrv2/+9yT/ydvvKQqBpkJMpugA0AKaQVAZhN0AMi1tAIgs4eeA649ek92vIP0UuQAkAGUpnZkRww9Bwx4FFAbDD0HfPz663/mlMP/Y7r2EcQgdVR3ALIGUhMcVRwAAuXzThIVAi3Lz1E/BKgNBr0DwE0yv4YdBOOSHAAyE2Q21AFYm2QD2yhlGOhmOZpDBqZjMgoGAgAA9XEHiUryRH4AAAAASUVORK5CYII='

/** The icon of a wrapper without a brand's own. A Windows icon file is a PNG picture behind a directory. */
export function neutralIcon(format: 'png' | 'ico'): Uint8Array {
  const picture = Buffer.from(neutralPicture, 'base64')
  if (format === 'png') return picture
  const directory = Buffer.alloc(22)
  directory.set([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0])
  directory.writeUInt32LE(picture.length, 14)
  directory.writeUInt32LE(directory.length, 18)
  return Buffer.concat([directory, picture])
}
