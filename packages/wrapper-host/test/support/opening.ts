/** Options of a window of tests, whose pages may not talk to the host. */
export function openingOf(url: string) {
  return { url, profileFolder: '/', userAgentSuffix: '', pageScript: 'send => undefined', allowedOrigins: [] }
}

/** A world with servers and without a web app, for an engine in memory. */
export const emptyWorld = { isOnline: true, load: () => () => undefined, answerPost: async () => 200 }
