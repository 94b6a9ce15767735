import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bringsToFront, commandNames } from '../packages/protocol-core/src/index.ts'

const raising = commandNames.filter(bringsToFront)

/** Where each sample, and the page for those who write another, lists the commands. */
const lists: readonly (readonly [string, RegExp])[] = [
  ['conformance/c/service_pipe.c', /raising\[\] = {(.+)}/],
  ['conformance/csharp/ServicePipe.cs', /Raising = "(.+)"/],
  ['conformance/delphi/ServicePipe.pas', /Raising: array.+ = \((.+)\)/],
  ['conformance/php/service-pipe.php', /RAISING = \[(.+)\]/],
  ['conformance/python/service_pipe.py', /RAISING = {(.+)}/],
  ['docs/reference/pipe.md', /right before ([^:]+):/],
]

test.each(lists)(
  '%s lets the wrapper come to the front for the same commands as the client',
  (file, list) => {
    const [, names = ''] = list.exec(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) ?? []
    expect(names.match(/[a-z]{4,}/g)?.toSorted()).toEqual(raising.toSorted())
  },
)
