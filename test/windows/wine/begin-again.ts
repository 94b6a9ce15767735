/**
 * Starts a program of Windows. Once in some hundred times Wine starts a process that never begins: it says no word and does not
 * end. Then it is started once more.
 *
 * @param start returns `undefined` after it has ended a process that never began
 */
export async function beginAgain<Begun extends object>(
  start: () => Begun | undefined | Promise<Begun | undefined>,
): Promise<Begun> {
  const begun = (await start()) ?? (await start())
  if (!begun) throw new Error('The program was started twice, and said no word.')
  return begun
}
