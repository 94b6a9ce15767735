import { defineConfig } from 'vitest/config'

const conditions = ['@service-link/source', 'module', 'node', 'development']

/** One project a package; sources are run as they are, without a build. */
function project(name: string, folder: string) {
  return {
    root: new URL(folder, import.meta.url).pathname,
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      isolate: false,
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  }
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('protocol-core', './packages/protocol-core/'),
      project('cli-args', './packages/cli-args/'),
      project('xml-input', './packages/xml-input/'),
      project('jwt-payload', './packages/jwt-payload/'),
      project('pipe-client', './packages/pipe-client/'),
      project('wrapper-host', './packages/wrapper-host/'),
      project('demo', './apps/demo/'),
      {
        ...project('repository', './'),
        test: { ...project('repository', './').test, include: ['test/**/*.test.ts'] },
      },
    ],
  },
})
