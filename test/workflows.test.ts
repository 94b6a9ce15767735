import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Workflow → rights to write that its jobs have. */
const rights: Readonly<Record<string, readonly string[]>> = {
  'ci.yml': [],
  'codeql.yml': ['security-events'],
  'dependency-review.yml': [],
  'docs.yml': ['pages', 'id-token'],
  'release.yml': ['contents', 'pull-requests', 'id-token', 'attestations', 'contents'],
  'scorecard.yml': ['security-events', 'id-token'],
}

const files = globSync('.github/workflows/*', { cwd: root })
const textOf = (file: string) => readFileSync(root + file, 'utf8')

test('each workflow is in the table of rights', () => {
  expect(files.map(file => basename(file)).sort()).toEqual(Object.keys(rights))
})

/** The text of each job by its id. */
function jobsOf(text: string): readonly (readonly [id: string, text: string])[] {
  const [, jobs = ''] = text.split(/^jobs:\n/m)
  return jobs
    .split(/^(?= {2}[\w-]+:\n)/m)
    .flatMap(job => (/^ {2}\w/.test(job) ? [[job.trim().split(':')[0] ?? '', job] as const] : []))
}

describe.each(files)('%s', file => {
  const text = textOf(file)
  const jobs = jobsOf(text)

  test('pins each action by its commit, and says its version', () => {
    const used = [...text.matchAll(/uses:(.*)/g)].map(([, action = '']) => action.trim())
    expect(used.length).toBeGreaterThan(0)
    for (const action of used) expect(action).toMatch(/^[\w-]+(\/[\w-]+)+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('gives no job a right by default, and each those of the table', () => {
    expect(text).toContain('\npermissions: {}\n')
    const given = [...text.matchAll(/^ +([\w-]+): write$/gm)].map(([, right]) => right)
    expect(given).toEqual(rights[basename(file)])
    expect(text).not.toMatch(/write-all|read-all|pull_request_target|workflow_run|secrets\./)
  })

  test.each(jobs)(
    'the job %s has a limit, keeps no token in its files, and runs no text of others',
    (_id, job) => {
      expect(job).toMatch(/^ {4}timeout-minutes: \d+$/m)
      expect(job.match(/persist-credentials: false/g)?.length).toBe(job.match(/actions\/checkout@/g)?.length)
      // The value of an expression in a script runs as code.
      for (const [script] of job.matchAll(/^ +(?:- )?run: .*(?:\n {10,}.*)*/gm))
        expect(script).not.toContain('${{')
    },
  )
})

test('a job that publishes runs no code of the repository or of its dependencies', () => {
  const publishing = files
    .flatMap(file => jobsOf(textOf(file)))
    .filter(([, job]) => /npm publish|deploy-pages|gh release/.test(job))
  expect(publishing.map(([id]) => id).sort()).toEqual(['announce', 'deploy', 'publish'])
  for (const [, job] of publishing)
    expect(job).not.toMatch(/actions\/checkout|npm (?:run|install|ci)|pnpm|scripts\//)
})
