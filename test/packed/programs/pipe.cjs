// The same program as CommonJS.
const { connectWrapper } = require('@service-link/pipe-client')

async function main() {
  const wrapper = await connectWrapper()
  const { status } = await wrapper.selectPerson({ customId: '4711', firstname: 'Kari', lastname: 'Nordmann' })
  const users = await wrapper.getListOfUsers({ customId: '4711' })
  const refused = await wrapper.openWorkout(99).catch(error => error.code)
  console.log(status, users.length, refused, (await wrapper.status()).person.customId)
  await wrapper.disconnect()
}

main()
