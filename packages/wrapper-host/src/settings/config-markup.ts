/** A stretch of a file's text that means one thing. */
export interface MarkupPiece {
  /** `declaration`: what begins as `<!` and is neither comment nor section; `cut-off`: what has no end. */
  readonly kind: 'text' | 'tag' | 'instruction' | 'comment' | 'section' | 'declaration' | 'cut-off'
  readonly start: number
  /** Index behind its last character: the next one's start, or the text's length. */
  readonly end: number
}

/**
 * Takes the text of an XML file apart, in order and without a gap, as the parser reads it: a comment begins only where markup
 * may, and not within an attribute's value or a processing instruction. Each character is looked at once, whatever the text
 * holds. Whether tags are well-formed and match is not looked at.
 */
export function* configMarkup(text: string): Generator<MarkupPiece> {
  for (let at = 0; at < text.length; ) {
    const piece = text[at] === '<' ? markupAt(text, at) : textAt(text, at)
    yield piece
    at = piece.end
  }
}

function textAt(text: string, start: number): MarkupPiece {
  const next = text.indexOf('<', start)
  return { kind: 'text', start, end: next === -1 ? text.length : next }
}

function markupAt(text: string, start: number): MarkupPiece {
  if (text.startsWith('<!--', start)) return closed('comment', text, start, '-->', 4)
  if (text.startsWith('<![CDATA[', start)) return closed('section', text, start, ']]>', 9)
  if (text.startsWith('<!', start)) return { kind: 'declaration', start, end: text.length }
  if (text.startsWith('<?', start)) return closed('instruction', text, start, '?>', 2)
  if (text.startsWith('</', start)) return closed('tag', text, start, '>', 2)
  return startTagAt(text, start)
}

function closed(
  kind: MarkupPiece['kind'],
  text: string,
  start: number,
  mark: string,
  openLength: number,
): MarkupPiece {
  const end = text.indexOf(mark, start + openLength)
  if (end === -1) return { kind: 'cut-off', start, end: text.length }
  return { kind, start, end: end + mark.length }
}

function startTagAt(text: string, start: number): MarkupPiece {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '>') return { kind: 'tag', start, end: at + 1 }
    if (character !== '"' && character !== "'") continue
    at = text.indexOf(character, at + 1)
    if (at === -1) break
  }
  return { kind: 'cut-off', start, end: text.length }
}
