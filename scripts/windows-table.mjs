/**
 * @typedef {object} Part One line of the table of `npm run windows`.
 * @property {string} name
 * @property {'passed' | 'failed' | 'skipped'} outcome
 * @property {string} counts what it consisted of, or empty
 * @property {number} ms
 */

/**
 * Sums up a test report: one part for each name.
 *
 * @param {{ testResults: readonly any[] }} report
 * @param {(file: string) => string} nameOf
 * @returns {Part[]}
 */
export function partsOf({ testResults }, nameOf) {
  const named = Object.groupBy(testResults, ({ name }) => nameOf(name))
  return Object.entries(named).map(([name, files = []]) => partOf(`  ${name}`, files))
}

function partOf(name, files) {
  const statuses = files.flatMap(file => file.assertionResults.map(({ status }) => status))
  const failed = statuses.filter(status => status === 'failed').length
  const passed = statuses.filter(status => status === 'passed').length
  const counts = [
    [failed, 'failed'],
    [passed, 'passed'],
    [statuses.length - failed - passed, 'skipped'],
  ]
  // A file that cannot be loaded has no tests.
  const hasFailed = failed > 0 || files.some(({ status }) => status === 'failed')
  return {
    name,
    outcome: hasFailed ? 'failed' : passed > 0 ? 'passed' : 'skipped',
    counts: counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', '),
    ms: files.reduce((sum, { startTime, endTime }) => sum + Math.max(0, endTime - startTime), 0),
  }
}

/**
 * The table: part, result and duration.
 *
 * @param {readonly Part[]} parts
 * @returns {string}
 */
export function writeTable(parts) {
  const width = Math.max(...parts.map(({ name }) => name.length))
  const lines = parts.map(({ name, outcome, counts, ms }) => {
    const seconds = `${(ms / 1000).toFixed(1)} s`.padStart(8)
    return `  ${name.padEnd(width)}  ${outcome.padEnd(7)} ${seconds}  ${counts}`.trimEnd()
  })
  return lines.join('\n')
}
