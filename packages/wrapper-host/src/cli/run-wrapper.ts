import { ClosingError, defaultBrand, type Launch } from '@service-link/protocol-core'
import { createWrapper, type Wrapper, type WrapperStart } from '../create-wrapper.ts'
import type { HandOffOutcome } from '../instance/hand-off-message.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'

/**
 * Becomes the wrapper and stays it until it is closed, by its window, the pipe or a signal.
 *
 * @returns how the hand-off ended when another process was quicker, else nothing
 */
export async function runWrapper(
  launch: Launch,
  folders: WrapperFolders,
  onNotice: (sentence: string) => void,
): Promise<HandOffOutcome | undefined> {
  // Clients in the field find the process by the executable's name.
  process.title = defaultBrand.application
  const start = await startUnlessClosed(createWrapper({ brand: defaultBrand, folders, onNotice }), launch)
  if (!start) return undefined
  if (start.role === 'handed-off') return start.outcome
  const { wrapper } = start
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void wrapper.close())
  onNotice(`The wrapper runs. Its pipe: ${wrapper.pipeAddress}`)
  await wrapper.closed
  return undefined
}

/** Nothing when it was told to close before its window was open: that is an end like any other. */
async function startUnlessClosed(wrapper: Wrapper, launch: Launch): Promise<WrapperStart | undefined> {
  try {
    return await wrapper.start(launch)
  } catch (error) {
    if (error instanceof ClosingError) return undefined
    throw error
  }
}
