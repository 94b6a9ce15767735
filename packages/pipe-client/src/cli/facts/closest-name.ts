/** Finds the known name that was probably meant; `undefined` when none is close, or several are equally close. */
export function closestName(word: string, names: readonly string[]): string | undefined {
  const folded = word.toLowerCase()
  const begun = names.filter(name => folded.length >= 3 && name.startsWith(folded))
  if (begun.length === 1) return begun[0]
  const limit = Math.max(1, Math.floor(Math.min(folded.length, 12) / 3))
  // A long text, such as a sentence that slipped in, is not compared letter by letter.
  if (folded.length > 40) return undefined
  const ranked = names
    .map(name => ({ name, distance: distanceOf(folded, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const [first, second] = ranked
  if (!first || first.distance > limit || first.distance === second?.distance) return undefined
  return first.name
}

/** How many letters are to be put in, left out, replaced, or swapped with their neighbour, to make one text the other. */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      line.push(cost)
    }
    beforeLast = last
    last = line
  }
  return last[b.length] ?? 0
}
