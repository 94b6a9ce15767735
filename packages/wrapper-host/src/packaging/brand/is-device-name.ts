/**
 * Whether Windows takes a name of a file or folder for a device, so that neither can be made: also with an extension, in any case.
 *
 * @param name without folders
 */
export function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i.test(name)
}
