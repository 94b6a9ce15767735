import type { RefCallback } from 'react'

/** Makes a ref that tells the style sheet how high its element is. */
export function heightAs(variable: `--${string}`): RefCallback<HTMLElement> {
  return (element: HTMLElement) => {
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty(variable, `${element.getBoundingClientRect().height}px`),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }
}
