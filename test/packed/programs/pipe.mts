// The same program in TypeScript.
import { connectWrapper, PipeError, type WrapperClient } from '@service-link/pipe-client'

async function openWorkout(wrapper: WrapperClient, id: number): Promise<string> {
  try {
    await wrapper.openWorkout(id)
    return 'opened'
  } catch (error) {
    if (error instanceof PipeError) return error.code
    throw error
  }
}

const wrapper = await connectWrapper({ timeoutMs: 20_000 })
const { status } = await wrapper.selectPerson({ customId: '4711', firstname: 'Kari', lastname: 'Nordmann' })
const users = await wrapper.getListOfUsers({ customId: '4711' })
const refused = await openWorkout(wrapper, 99)
console.log(status, users.length, refused, (await wrapper.status()).person?.customId)
await wrapper.disconnect()
