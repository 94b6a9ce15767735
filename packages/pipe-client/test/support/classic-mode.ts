import { ClassicChannel } from '../../src/classic/classic-channel.ts'
import { ConnectedWrapper } from '../../src/client/connected-wrapper.ts'
import { Reconnection } from '../../src/client/reconnection.ts'
import type { FoundWrapper, WrapperClient } from '../../src/index.ts'

/** A client in classic mode that has sent nothing yet, not even `version`. */
export function classicModeOf(wrapper: FoundWrapper): WrapperClient {
  return new ConnectedWrapper(new Reconnection(new ClassicChannel(wrapper), undefined), 35_000)
}
