/** The page that both receivers answer with. */
export const answerPage = `<!doctype html><title>Service</title><script>${'// the web app\n'.repeat(60)}</script>`
