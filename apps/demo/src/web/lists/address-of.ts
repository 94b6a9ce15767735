/**
 * Address of a list with what is searched for in it, and of the record that is open beside it.
 *
 * @param list such as `/exercises`
 */
export function addressOf(list: string, id: number | undefined, text: string): string {
  const path = id === undefined ? list : `${list}/${id}`
  return text === '' ? path : `${path}?${new URLSearchParams({ text })}`
}
