/** Page script of the contract: `receive` does as the value says. */
export const contractScript = `send => {
  globalThis.__wrapperHost = {
    receive(value) {
      if (value === 'fail') throw new Error('Ola Nordmann')
      if (value === 'wait') return new Promise(() => { send('waiting') })
      if (value === 'hang') { send('hanging'); for (;;); }
      if (value === 'long') return 'x'.repeat(20_000_000)
      if (value === 'nothing') return undefined
      if (value === 'loop') { const loop = {}; loop.loop = loop; return loop }
      if (typeof value === 'object' && value !== null && 'send' in value) return void send(value.send)
      if (typeof value === 'object' && value !== null && 'run' in value) return (0, eval)(value.run)
      return value
    },
  }
  send('script')
}`
