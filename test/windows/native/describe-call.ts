/** The server's expected record of one unique call. */
export interface CallDescription {
  /** `<method> <id>`, as the server writes it. */
  readonly line: string
  /** The expected reply; `undefined` for a command without one. */
  readonly customId: string | undefined
}

/** Every fifth command has no reply. */
export function describeCall(number: number): CallDescription {
  if (number % 5 === 4) return { line: `openworkout ${number}`, customId: undefined }
  const customId = `person-${number}`
  return { line: `getlistofusers ${customId}`, customId }
}
