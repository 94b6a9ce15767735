/** What a native server must have read of one call that differs from all others. */
export interface CallDescription {
  /** `<method> <id>`, as the server writes it. */
  readonly line: string
  /** What is asked for; nothing for a call that has no reply. */
  readonly customId: string | undefined
}

/** Every fifth call has no reply. */
export function describeCall(number: number): CallDescription {
  if (number % 5 === 4) return { line: `openworkout ${number}`, customId: undefined }
  const customId = `person-${number}`
  return { line: `getlistofusers ${customId}`, customId }
}
