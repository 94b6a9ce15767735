/** Owner and permissions of a file or folder, as `lstat` tells them. */
export interface FileAccess {
  readonly uid: number | bigint
  readonly mode: number | bigint
}

/**
 * What keeps a file from being trusted: that somebody besides this user and the administrator owns it, may change it, or may
 * read it. Windows keeps this in access lists that Node does not read: there, its folder has to be a safe one.
 *
 * @param isPrivate whether others may not even read it
 * @param user this process's user; nothing on Windows
 * @returns a clause such as `belongs to another user`, or nothing
 */
export function accessProblem(
  { uid, mode }: FileAccess,
  isPrivate: boolean,
  user: number | undefined = process.getuid?.(),
): string | undefined {
  if (user === undefined) return undefined
  if (Number(uid) !== 0 && Number(uid) !== user) return 'belongs to another user'
  const permissions = Number(mode) & 0o077
  if ((permissions & 0o022) !== 0) return 'may be changed by other users (chmod go-w)'
  if (isPrivate && permissions !== 0) return 'may be read by other users (chmod go-rwx)'
  return undefined
}
