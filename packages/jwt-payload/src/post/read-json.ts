/** Whether a response says that it is of a media type. */
export function isOfType(response: Response, type: string): boolean {
  return response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === type
}

/** Reads a JSON object; anything else is an empty one. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    return {}
  }
}

/** A member that is text. */
export function memberOf(value: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const member = value[name]
  return typeof member === 'string' ? member : undefined
}
