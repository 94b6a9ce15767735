import { escapeHtml } from '@service-link/jwt-payload/steps'
import { docsSite } from '@service-link/protocol-core/errors'
import type { RequirementResult } from '../requirements.ts'
import type { ConformanceReport } from '../run-role.ts'
import type { Outcome, ScenarioResult } from '../scenario.ts'
import { passesNow } from './junit.ts'

const names: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  'known-failure': 'known failure',
  'unexpected-pass': 'unexpected pass',
  skipped: 'skipped',
  'not-applicable': 'not applicable',
}

/** Writes a report as one page, which loads nothing and has no script. */
export function writePage(report: ConformanceReport): string {
  const { role, begunAt, scenarios, requirements, requirementsVersion, isAsExpected } = report
  const count = (outcome: Outcome) => scenarios.filter(scenario => scenario.outcome === outcome).length
  const counts = (Object.keys(names) as Outcome[]).filter(count).map(each => `${count(each)} ${names[each]}`)
  const title = `Conformance of a ${role}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p><code>${escapeHtml(report.target)}</code></p>
<p><strong class="${isAsExpected ? 'passed' : 'failed'}">${isAsExpected ? 'As expected' : 'Not as expected'}</strong>: ${counts.join(', ')}. ${begunAt}</p>
<h2>Scenarios</h2>
<ul>
${[...scenarios].sort(failedFirst).map(writeScenario).join('\n')}
</ul>
<h2>Requirements, version ${requirementsVersion}</h2>
<ul>
${requirements.map(writeRequirement).join('\n')}
</ul>
</main>
</body>
</html>
`
}

const failedFirst = (one: ScenarioResult, other: ScenarioResult) =>
  Number(one.outcome === 'passed') - Number(other.outcome === 'passed')

function writeScenario({
  id,
  spec,
  sentence,
  outcome,
  faults,
  knownBecause,
  skippedBecause,
}: ScenarioResult): string {
  const told = outcome === 'unexpected-pass' ? [passesNow] : faults
  const reason = knownBecause === undefined ? '' : `<p>Known: ${escapeHtml(knownBecause)}</p>`
  const skipped = skippedBecause === undefined ? '' : `<p>${escapeHtml(skippedBecause)}</p>`
  const list =
    told.length === 0 ? '' : `<ul>${told.map(fault => `<li>${escapeHtml(fault)}</li>`).join('')}</ul>`
  return `<li id="${id}"><span class="outcome ${outcome}">${names[outcome]}</span> <code>${id}</code> <small>${sourceOf(spec)}</small><p>${escapeHtml(sentence)}</p>${reason}${skipped}${list}</li>`
}

function writeRequirement({ id, text, scenarios, state }: RequirementResult): string {
  const outcome = { met: 'passed', 'not-met': 'failed', 'not-checked': 'skipped' }[state]
  const links = scenarios.map(scenario => `<a href="#${scenario}">${scenario}</a>`)
  const checked =
    links.length > 6 ? `${links.slice(0, 6).join(', ')} and ${links.length - 6} more` : links.join(', ')
  return `<li><span class="outcome ${outcome}">${state.replace('-', ' ')}</span> <code>${id}</code><p>${escapeHtml(text)}</p><small>${checked}</small></li>`
}

const style = `
:root { color-scheme: light dark; --good: light-dark(#14622c, #7ad992); --bad: light-dark(#a11212, #ff9d93); --line: light-dark(#ccc, #555) }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #16181c); color: light-dark(#1c1e21, #e8e8e8) }
main { max-width: 52rem; margin: auto; padding: 1rem; overflow-wrap: anywhere }
main > ul { list-style: none; padding: 0 }
main > ul > li { border-top: 1px solid var(--line); padding: .6rem 0 }
p { margin: .2rem 0 }
a { color: inherit }
.outcome { font-weight: 600 }
.passed { color: var(--good) }
.failed, .unexpected-pass { color: var(--bad) }`

/** A section of the specification, or a link to a page of the documentation. */
function sourceOf(spec: string): string {
  return spec.includes('/') ? `<a href="${docsSite}${spec}">${spec}</a>` : `spec ${spec}`
}
