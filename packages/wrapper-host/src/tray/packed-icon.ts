import * as sea from 'node:sea'

/** Name under which a packed executable holds the picture of its icon in the notification area. */
export const packedIconName = 'tray-icon'

/**
 * The picture that this wrapper was packed with.
 *
 * @returns in the format that the platform's icon needs; nothing when it was packed with none, or not packed
 */
export function packedIcon(): Uint8Array | undefined {
  // An older Node has no list of names; it makes no packed executable either.
  if (!sea.isSea() || !sea.getAssetKeys().includes(packedIconName)) return undefined
  return new Uint8Array(sea.getRawAsset(packedIconName))
}
