// The least process of a party: started, it waits for its end.
process.send?.('')
process.once('disconnect', () => undefined)
