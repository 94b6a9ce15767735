// Notes the Node and the PATH that pnpm has given to this script.
import { writeFileSync } from 'node:fs'

writeFileSync(process.argv[2], JSON.stringify({ node: process.execPath, path: process.env.PATH }))
