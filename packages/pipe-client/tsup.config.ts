import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/cli/service-pipe.ts'],
  format: 'esm',
  target: 'node20.19',
  dts: true,
  clean: true,
  sourcemap: true,
})
