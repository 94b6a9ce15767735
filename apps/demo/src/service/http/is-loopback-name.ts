const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a host is this machine itself, whoever asks.
 *
 * @param hostname as `URL` writes it
 */
export function isLoopbackName(hostname: string): boolean {
  return loopbackNames.has(hostname)
}
