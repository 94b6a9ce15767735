import { useSyncExternalStore } from 'react'

export interface Shared<Value> {
  get(): Value
  set(next: Value): void
  /** {@link get} as a hook: the component is drawn again when the value changes. */
  use(): Value
}

/** Makes a value that lives as long as the page. */
export function shared<Value>(initial: Value): Shared<Value> {
  const listeners = new Set<() => void>()
  let value = initial
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
