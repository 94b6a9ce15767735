import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Name of the socket that clients expect in the given folder. */
const socketName = '.s.PGSQL.5432'

/** The server's message for a committed transaction: the tag of a completed command. */
const committed = Buffer.from('COMMIT\0')

/** A proxy between a service and its PostgreSQL. */
export interface PostgresProxy extends AsyncDisposable {
  /** Address of a database through the proxy. */
  urlOf(database: string): string
  /** The next commit takes effect, but the connection is cut before the service hears of it. */
  loseNextCommit(): void
  /** Number of lost commits. */
  readonly lost: number
}

/** Starts a proxy in front of the cluster in a folder. */
export async function startPostgresProxy(clusterFolder: string): Promise<PostgresProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'service-link-proxy-'))
  const sockets = new Set<Socket>()
  let isArmed = false
  let lost = 0
  const server = createServer(client => {
    const upstream = createConnection(join(clusterFolder, socketName))
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket)
        cut()
      })
    }
    client.on('data', chunk => upstream.write(chunk))
    upstream.on('data', (chunk: Buffer) => {
      if (isArmed && chunk.includes(committed)) {
        isArmed = false
        lost++
        cut()
      } else client.write(chunk)
    })
  })
  server.listen(join(folder, socketName))
  await once(server, 'listening')
  return {
    urlOf: database => `postgres://service@localhost/${database}?host=${encodeURIComponent(folder)}`,
    loseNextCommit() {
      isArmed = true
    },
    get lost() {
      return lost
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
      await rm(folder, { recursive: true, force: true })
    },
  }
}
