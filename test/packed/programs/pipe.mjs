// A partner's program in plain JavaScript. The variable SERVICE_WRAPPER_DATA names the wrapper's folder.
import { connectWrapper } from '@service-link/pipe-client'

const wrapper = await connectWrapper()
const { status } = await wrapper.selectPerson({ customId: '4711', firstname: 'Kari', lastname: 'Nordmann' })
const users = await wrapper.getListOfUsers({ customId: '4711' })
const refused = await wrapper.openWorkout(99).catch(error => error.code)
console.log(status, users.length, refused, (await wrapper.status()).person.customId)
await wrapper.disconnect()
