import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'

const entry = ['src/index.ts', 'src/node/index.ts', 'src/testing/index.ts', 'src/test-service/index.ts']

export default defineConfig([library({ entry })])
