/**
 * Writes a text to standard output and ends the process, as soon as the text is out. What was found out by then counts:
 * nothing that still waits, such as an answer of the network, keeps the process. An operating system that hangs in a call, as
 * for a file on a server that is gone, ends it no sooner than the call.
 */
export async function endWith(text: string, exitCode: number): Promise<never> {
  await new Promise(resolve => process.stdout.write(text, resolve))
  process.exit(exitCode)
}
