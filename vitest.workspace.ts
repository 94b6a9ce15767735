import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { deepTests, moreTests, project, soakTests } from './vitest.project.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Tests that start Windows programs, by `npm run windows`. */
const windowsTests = '**/*.windows.test.ts'

// Tested code reports or refuses files writable by a group, which some systems make by default.
process.umask(0o022)

/** Keeps compiled sources for the hundreds of Node processes of this run and later ones. */
process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled')

const packages = globSync('{packages,internal}/*/package.json', { cwd: root }).map(dirname)
const deepPlaces = ['packages', 'internal', 'conformance', 'test'].map(folder => `${folder}/${deepTests}`)

/** Each app says in a file which projects its tests are. */
const appProjects: TestProjectInlineConfiguration[] = []
for (const file of globSync('apps/*/vitest.projects.ts', { cwd: root }))
  appProjects.push(...(await import(pathToFileURL(join(root, file)).href)).default)

const projects = [
  ...packages.map(folder => project(basename(folder), join(root, folder))),
  ...appProjects,
  project('repository', root, {
    include: ['{test,conformance}/**/*.test.ts'],
    exclude: [deepTests, windowsTests, 'test/packed/**'],
  }),
  ...(moreTests === 'deep' ? [project('deep', root, { include: deepPlaces, exclude: [] })] : []),
  ...(moreTests === 'soak'
    ? [project('soak', root, { include: [`{packages,apps}/${soakTests}`], exclude: [], maxWorkers: 1 })]
    : []),
  // Packed packages in an empty project: they need the build and the registry.
  ...(moreTests === 'packed'
    ? [
        project('packed', root, {
          include: ['test/packed/*.test.ts'],
          globalSetup: [join(root, 'test/packed/install-packed.ts')],
        }),
      ]
    : []),
]

// Tests wait for other programs half of their time: on two processors a third worker uses it. Deep tests run beside others.
export default defineConfig({ test: { maxWorkers: moreTests === undefined ? 3 : 2, projects } })
