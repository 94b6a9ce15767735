import { classifyFailure } from '../classify-failure.ts'

/** What a pool hands out. */
export interface PooledClient {
  query: unknown
  /** @param destroy whether the connection is closed instead of being kept for the next one */
  release(destroy?: boolean): void
}

/**
 * Has a connection closed, not kept, once one of its queries was lost. The driver itself gives a query up after its time
 * and keeps the connection, behind which the next ones would wait for a server that is gone without a word.
 */
export function discardLost<Client extends PooledClient>(client: Client): Client {
  let isLost = false
  return new Proxy(client, {
    get(target, name): unknown {
      // Taken from the client each time: a pool makes a new `release` for each use.
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name === 'release') return (destroy?: boolean) => target.release(destroy || isLost)
      if (name !== 'query') return value.bind(target)
      return async (...parameters: readonly unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(value, target, parameters)
        } catch (error) {
          if (classifyFailure(error) === 'lost') isLost = true
          throw error
        }
      }
    },
  })
}
