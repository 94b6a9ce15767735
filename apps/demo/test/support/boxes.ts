/**
 * Finds texts and controls that a user cannot read or reach: drawn over one another, cut by their box, or outside of
 * a page that scrolls to the side. It runs in the page, so it uses nothing outside of itself.
 */
export function findBoxProblems(): string[] {
  interface Box {
    readonly element: Element
    readonly words: string
    readonly isControl: boolean
    readonly left: number
    readonly top: number
    readonly right: number
    readonly bottom: number
  }
  const problems = new Set<string>()
  const boxes: Box[] = []
  // A dialog makes the page below inert.
  const dialogs = document.querySelectorAll('[role="dialog"], dialog[open]')
  const root = dialogs[dialogs.length - 1] ?? document.body
  const width = document.documentElement.clientWidth

  const isUnseen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return (
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || width < 3 || height < 3
    )
  }

  /** What the ancestors show of a box; notes what they cut. */
  const seenPart = (box: Box): Box => {
    let { left, top, right, bottom } = box
    for (let parent: Element | null = box.element; parent; parent = parent.parentElement) {
      const style = getComputedStyle(parent)
      const area = parent.getBoundingClientRect()
      const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
      if (parent !== document.body && parent !== document.documentElement && style.display !== 'inline') {
        const hasFullText = style.textOverflow === 'ellipsis' && parent.closest('[title]') !== null
        const isCut =
          (cuts(style.overflowX) && (right > area.right + 1 || left < area.left - 1) && !hasFullText) ||
          (cuts(style.overflowY) && (bottom > area.bottom + 3 || top < area.top - 3))
        if (isCut && !box.isControl && area.width > 2) problems.add(`cut: ${box.words}`)
        if (style.overflowX !== 'visible') {
          left = Math.max(left, area.left)
          right = Math.min(right, area.right)
        }
        if (style.overflowY !== 'visible') {
          top = Math.max(top, area.top)
          bottom = Math.min(bottom, area.bottom)
        }
      }
      if (style.position === 'fixed') break
    }
    return { ...box, left, top, right, bottom }
  }

  const add = (element: Element, words: string, isControl: boolean, rects: Iterable<DOMRect>) => {
    for (const { left, top, right, bottom } of rects) {
      // The area of a line of text is higher than its letters.
      const inset = isControl ? 1 : (bottom - top) * 0.2
      const box = {
        element,
        words,
        isControl,
        left: left + 1,
        right: right - 1,
        top: top + inset,
        bottom: bottom - inset,
      }
      const seen = seenPart(box)
      if (seen.right <= seen.left || seen.bottom <= seen.top || seen.right < 0) continue
      if (seen.right > width + 1 || seen.left < -1) problems.add(`outside: ${words}`)
      boxes.push(seen)
    }
  }

  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement
    const words = node.textContent?.trim().slice(0, 40)
    if (!element || !words || isUnseen(element) || element.closest('script, style, noscript, option'))
      continue
    const range = document.createRange()
    range.selectNodeContents(node)
    add(element, `“${words}”`, false, range.getClientRects())
  }
  for (const element of root.querySelectorAll('button, input, select, textarea, summary, [role="button"]')) {
    if (isUnseen(element)) continue
    const label = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)
    const name = label || element.getAttribute('name') || element.getAttribute('type')
    add(element, `<${element.localName} ${name}>`, true, [element.getBoundingClientRect()])
  }

  const isField = ({ element }: Box) => /^(?:input|select|textarea)$/.test(element.localName)
  const isInside = (inner: Box, outer: Box) =>
    inner.left >= outer.left - 2 &&
    inner.right <= outer.right + 2 &&
    inner.top >= outer.top - 2 &&
    inner.bottom <= outer.bottom + 2
  /** Notices and a bar that stays in view lie over the page by design. */
  const layerOf = ({ element }: Box) =>
    element.closest('.notices, .launch-bar, .console-sticky, [role="tooltip"], [role="listbox"]')
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue
      const overlapWidth = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const overlapHeight = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      if (overlapWidth <= 1 || overlapHeight <= 1 || layerOf(one) !== layerOf(other)) continue
      // A field holds its buttons.
      if ((isField(one) && isInside(other, one)) || (isField(other) && isInside(one, other))) continue
      problems.add(`overlap: ${one.words} and ${other.words}`)
    }
  })

  const { scrollWidth } = document.documentElement
  if (scrollWidth > width) problems.add('the page scrolls to the side')
  return Array.from(problems)
}

/**
 * Finds what a finger or an unsteady hand misses: a control lower or narrower than 24 px (WCAG 2.2, 2.5.8). A link within a text has the
 * height of its line. It runs in the page, so it uses nothing outside of itself.
 */
export function findSmallTargets(): string[] {
  const dialogs = document.querySelectorAll('[role="dialog"], dialog[open]')
  const root = dialogs[dialogs.length - 1] ?? document.body
  const isInText = (element: Element) =>
    element.localName === 'a' &&
    getComputedStyle(element).display === 'inline' &&
    Array.from(element.parentElement?.childNodes ?? []).some(
      node => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    )
  const controls = root.querySelectorAll(
    'a[href], button, select, textarea, summary, input:not([type="hidden"]), [role="button"], [role="tab"], [role="option"]',
  )
  return Array.from(controls).flatMap(element => {
    // The label of a box or a switch, and the frame of a field, are parts of its target.
    const labels = element instanceof HTMLInputElement ? Array.from(element.labels ?? []) : []
    const frame =
      element.localName === 'input' ? (element.closest('.mantine-Input-wrapper') ?? element) : element
    const boxes = [frame, ...labels].map(part => part.getBoundingClientRect())
    const [width, height] = [
      Math.max(...boxes.map(box => box.width)),
      Math.max(...boxes.map(box => box.height)),
    ]
    // The keyboard has the arrows of a number's field in the field itself.
    if (element.matches('[tabindex="-1"]')) return []
    const isSeen = element.checkVisibility({ visibilityProperty: true }) && width > 2 && height > 2
    if (!isSeen || isInText(element) || (width >= 23.5 && height >= 23.5)) return []
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)
    return [`small: <${element.localName} ${name}> is ${Math.round(width)} × ${Math.round(height)} px`]
  })
}
