import type { RecordedText, SecretKind } from './record.ts'

/** A text that the service wrote. */
export interface Recorded {
  readonly kind: RecordedText
  readonly text: string
}

/** A secret that no text may contain. */
export interface Secret {
  readonly kind: SecretKind
  readonly value: string
}

/** A secret found in a text. It comes from a test, so it may be shown. */
export interface Leak {
  readonly where: string
  readonly secret: string
}

/** Kinds of personal words. They count as whole words only, and when long enough to be unique. */
const words: Partial<Record<SecretKind, number>> = { name: 4, employee: 5 }

/** Fewest characters of the other kinds. */
const minLength = 8

/** A signed JWT from any signer, also with white space before its first members. */
const anyToken = /\be[yw][\w-]{9,}\.e[yw][\w-]{9,}\.[\w-]*/

/** Finds each secret in the texts, and every token. */
export function findLeaks(recorded: readonly Recorded[], secrets: readonly Secret[]): readonly Leak[] {
  const leaks: Leak[] = []
  for (const [kind, texts] of byKind(recorded)) {
    const all = texts.join('\n')
    const [token] = anyToken.exec(all) ?? []
    if (token !== undefined) leaks.push({ where: kind, secret: `token: ${token}` })
    for (const { kind: secretKind, value } of secrets)
      if (isIn(all, secretKind, value)) leaks.push({ where: kind, secret: `${secretKind}: ${value}` })
  }
  return leaks
}

/** Every line has ids and times; most lines are equal without them. */
function byKind(recorded: readonly Recorded[]): Map<RecordedText, string[]> {
  const found = new Map<RecordedText, Set<string>>()
  for (const { kind, text } of recorded) {
    const texts = found.get(kind) ?? new Set<string>()
    texts.add(
      text
        .replace(/"(requestId|request_id)":"[\da-f-]{36}"/g, '"$1":""')
        .replace(/"(time|durationMs|id)":\d+/g, '"$1":0'),
    )
    found.set(kind, texts)
  }
  return new Map(Array.from(found, ([kind, texts]) => [kind, Array.from(texts)]))
}

function isIn(text: string, kind: SecretKind, value: string): boolean {
  const wordLength = words[kind]
  if (value.length < (wordLength ?? minLength)) return false
  for (const form of new Set([value, JSON.stringify(value).slice(1, -1), escapeHtml(value)])) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
      if (wordLength === undefined || isWord(text, at, form.length)) return true
  }
  return false
}

function isWord(text: string, start: number, length: number): boolean {
  const isLetter = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_-]/u.test(char)
  return !isLetter(text[start - 1]) && !isLetter(text[start + length])
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
