/** The group `admin` of macOS, whose members are the administrators; applications lie in a folder of it. */
const macAdministrators = 80

/**
 * Whether what a group may write is still this user's, or the administrators'. Who is in a group is not asked, since a
 * directory on the network may have to answer: of a user's own group it is told by its number, which is the user's where
 * systems make a group for each user.
 *
 * @param user the user's id
 * @param primary id of the user's primary group
 */
export function mayGroupWrite(
  group: number,
  platform: NodeJS.Platform,
  user: number | undefined,
  primary: number | undefined,
): boolean {
  if (group === 0 || (platform === 'darwin' && group === macAdministrators)) return true
  return group === primary && group === user
}
