import { defineConfig } from 'tsup'

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/frame/frame.ts',
    'src/wrapper/brand.ts',
    'src/errors/index.ts',
    'src/time/deadline.ts',
  ],
  format: 'esm',
  target: 'node20.19',
  dts: true,
  clean: true,
  sourcemap: true,
})
