/**
 * Makes the id of one launch: a UUID of version 8 (RFC 9562, 5.8), so that its parts are ours to choose. It holds the time
 * in milliseconds, the process id and 42 random bits: two processes of one machine that make an id in the same
 * millisecond have different process ids. Unique, and no secret: loading `node:crypto` for a random one would cost a second
 * start more than all the rest of its work.
 *
 * @param nowMs milliseconds since 1970
 * @param pid 32 bits
 */
export function makeLaunchId(nowMs: number = Date.now(), pid: number = process.pid): string {
  const time = hex(nowMs, 12)
  const random = [hex(randomBits(12), 3), hex(0x8000 + randomBits(14), 4), hex(randomBits(16), 4)]
  return `${time.slice(0, 8)}-${time.slice(8)}-8${random[0]}-${random[1]}-${hex(pid, 8)}${random[2]}`
}

function randomBits(bits: number): number {
  return Math.floor(Math.random() * 2 ** bits)
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0').slice(-digits)
}
