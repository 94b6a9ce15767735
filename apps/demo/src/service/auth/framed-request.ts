/** Header by which a page in a frame says so with each of its requests. Only the service's own pages can send it. */
export const framedHeader = 'x-framed'

/**
 * Whether a request is that of a page in a frame, or for one: its session is another one than that of the windows of the same
 * browser.
 */
export function isFramed(headers: Headers): boolean {
  return headers.has(framedHeader) || isForFrame(headers.get('sec-fetch-dest'))
}

/** Whether a `Sec-Fetch-Dest` asks for a page to be shown in a frame. */
export function isForFrame(destination: string | null | undefined): boolean {
  return destination === 'iframe' || destination === 'frame'
}
