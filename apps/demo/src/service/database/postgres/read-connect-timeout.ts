/**
 * Reads how long to wait for a connection from the address of a database: libpq's `connect_timeout`.
 *
 * @param url `postgres://` or `postgresql://`
 * @returns whole seconds from 1 to 600, 2 where the address does not say; `undefined` for anything else
 */
export function readConnectTimeout(url: string): number | undefined {
  const text = new URL(url).searchParams.get('connect_timeout') ?? '2'
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return seconds >= 1 && seconds <= 600 ? seconds : undefined
}
