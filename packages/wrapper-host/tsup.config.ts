import { defineConfig } from 'tsup'
import executable from './tsup.executable.ts'

export default defineConfig([
  {
    entry: ['src/index.ts', 'src/bridge/page/index.ts', 'src/cli/run-wrapper.ts', 'src/cli/help-text.ts'],
    format: 'esm',
    target: 'node22.18',
    dts: { entry: ['src/index.ts', 'src/bridge/page/index.ts'] },
    clean: ['!cli/service-webwrapper.*'],
    sourcemap: true,
    // node:sqlite has no name without its prefix.
    removeNodeProtocol: false,
  },
  executable,
])
