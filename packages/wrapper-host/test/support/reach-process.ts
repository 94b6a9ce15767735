// Tries to list folders, read files and dial sockets by their paths. Prints the failures.
import { once } from 'node:events'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'

const results: string[] = []
for (const path of process.argv.slice(2)) {
  try {
    await reach(path)
    results.push('reached')
  } catch (error) {
    results.push(error instanceof Error && 'code' in error ? String(error.code) : 'unknown')
  }
}
process.stdout.write(JSON.stringify(results))

async function reach(path: string): Promise<void> {
  // A closed folder hides its content.
  const found = await lstat(path)
  if (found.isDirectory()) await readdir(path)
  else if (found.isFile()) await readFile(path)
  else {
    const socket = connect(path)
    await once(socket, 'connect')
    socket.destroy()
  }
}
