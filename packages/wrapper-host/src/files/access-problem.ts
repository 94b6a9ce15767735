/** Owner and permissions of a file or folder, as of `lstat`. */
interface FileAccess {
  readonly uid: number | bigint
  readonly mode: number | bigint
}

/**
 * Finds why a file cannot be trusted: another user owns it, may change it or may read it. The administrator may. On Windows
 * access lists decide, which Node does not read: nothing is found there.
 *
 * @param isPrivate whether reading by others is a problem too
 * @param user this process's user; undefined on Windows
 * @returns a clause such as `belongs to another user`
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
