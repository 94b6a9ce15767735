/** A connection over which many requests may be under way. */
export interface KeptConnection extends Disposable {
  call(): Promise<unknown>
}
