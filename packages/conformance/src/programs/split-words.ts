/**
 * Splits a command line into words, the same way on each platform: at white space outside of single and double quotes. Inside them
 * each character stands for itself, so a Windows path needs no escapes.
 */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  )
}

/** Puts values in the places of `{name}` in each word. */
export function fillWords(words: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return words.map(word =>
    word.replace(/\{(\w+)\}/g, (place, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? '') : place,
    ),
  )
}
