import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/electron/index.ts', 'src/testing/index.ts'],
  format: 'esm',
  target: 'node22.18',
  dts: true,
  clean: true,
  sourcemap: true,
  // The contract is told by node:test where no other runner is given; that has no name without its prefix.
  removeNodeProtocol: false,
})
